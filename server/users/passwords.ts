import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { refusal } from '@pool/contract/refusals'
import type { Done, Task } from './passwordWorker.ts'

/** The argon2id hash of a password, with its own salt and parameters in it. */
export const hashPassword = async (password: string): Promise<string> => String(await carryOut({ password }))

let hashOfNobody: Promise<string> | undefined

/** Made once; a try that fails is not kept, or nobody without an account would ever again be answered as everybody else is. */
const nobodysHash = (): Promise<string> => {
  hashOfNobody ??= hashPassword('no account has this hash').catch((error: unknown) => {
    hashOfNobody = undefined
    throw error
  })
  return hashOfNobody
}

/**
 * Whether a password belongs to a stored hash. Without a hash (no such account) it does the same work and says no, so that the time
 * of the answer does not tell whether an account exists.
 */
export const passwordMatches = async (passwordHash: string | undefined, password: string): Promise<boolean> => {
  const nobodys = await nobodysHash()
  const matches = await carryOut({ password, passwordHash: passwordHash ?? nobodys })
  return matches === true && passwordHash !== undefined
}

/** The most calls with a password that this process takes at once. Each is a twentieth of a second of work, so the last of them waits a few seconds. */
const MOST_IN_TURN = 64
let inProgress = 0

/** Takes a call that needs a password's work. Throws `busy` at once, before anything of it is counted or recorded, when too many are being worked at. */
export const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (inProgress >= MOST_IN_TURN) throw refusal('busy')
  inProgress += 1
  try {
    return await work()
  } finally {
    inProgress -= 1
  }
}

// The work is long for a processor. On the threads that Node shares between files, names and compression it would hold those up; on as many threads
// as there are processors, everything.
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))

type Waiting = { readonly resolve: (result: string | boolean) => void; readonly reject: (reason: unknown) => void }
type Thread = { readonly worker: Worker; readonly waiting: Map<number, Waiting> }

let threads: Thread[] = []
let numbered = 0

/** Gives the work to the thread with the least to do; they are started when they are needed, and do not keep the process alive. */
const carryOut = (work: Omit<Task, 'number'>): Promise<string | boolean> =>
  new Promise((resolve, reject) => {
    const idle = threads.find(({ waiting }) => waiting.size === 0)
    const thread = idle ?? (threads.length < THREADS ? startThread() : leastBusy())
    numbered += 1
    thread.waiting.set(numbered, { resolve, reject })
    thread.worker.ref()
    thread.worker.postMessage({ ...work, number: numbered } satisfies Task)
  })

const leastBusy = (): Thread => threads.reduce((least, thread) => (thread.waiting.size < least.waiting.size ? thread : least))

const startThread = (): Thread => {
  const worker = new Worker(new URL('./passwordWorker.ts', import.meta.url))
  const waiting = new Map<number, Waiting>()
  const thread = { worker, waiting }
  worker.on('message', (done: Done) => {
    const { resolve, reject } = waiting.get(done.number) as Waiting
    waiting.delete(done.number)
    if (waiting.size === 0) worker.unref()
    if ('error' in done) reject(done.error)
    else resolve(done.result)
  })
  const lost = (error: unknown) => {
    threads = threads.filter((each) => each !== thread)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.once('error', lost)
  worker.once('exit', () => lost(new Error('the thread for passwords has ended')))
  threads.push(thread)
  return thread
}
