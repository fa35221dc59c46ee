import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { refusal } from '@pool/contract/base/refusals'
import type { Done, Manner, Task } from './passwordProcess.ts'

// Argon2 would block Node's thread pool, or every processor. So processes of idle priority do this
// work (docs/decisions/009).
const MOST: Readonly<Record<Manner, number>> = {
  polite: Math.max(1, Math.min(4, availableParallelism() - 1)),
  insistent: 1,
}

/** Milliseconds after which a polite process counts as starved. The work needs some ten. */
const STARVED_AFTER = 250

/**
 * Milliseconds after which a process counts as stalled, and another one takes its place. On a busy
 * machine a process takes several seconds to start.
 */
const STALLED_AFTER = 15_000

type Work = {
  readonly task: Task
  readonly resolve: (result: string | boolean) => void
  readonly reject: (reason: unknown) => void
  /** True once a result is known. */
  isDone: boolean
  /** True once a process was lost with it. The next loss refuses it. */
  isRepeated: boolean
}

type Worker = {
  readonly manner: Manner
  readonly child: ChildProcess
  work: Work | undefined
  starved: boolean
  starving?: NodeJS.Timeout
  stalling?: NodeJS.Timeout
}

let workers: readonly Worker[] = []
let waiting: readonly Work[] = []

/**
 * Hashes or verifies a password, in the order of calls. Starts processes on demand, which do not
 * keep this one alive. Throws `busy` when two processes were lost with it.
 */
export const carryOut = (task: Task): Promise<string | boolean> =>
  new Promise((resolve, reject) => {
    waiting = [...waiting, { task, resolve, reject, isDone: false, isRepeated: false }]
    handOut()
  })

/**
 * Gives waiting work to free polite processes, or to the insistent one while a polite one starves.
 */
const handOut = (): void => {
  while (waiting.length > 0) {
    const worker =
      free('polite') ?? (workers.some(({ starved }) => starved) ? free('insistent') : undefined)
    const [work, ...others] = waiting
    if (worker === undefined || work === undefined) return
    waiting = others
    begin(worker, work)
  }
}

const free = (manner: Manner): Worker | undefined => {
  const alike = workers.filter((worker) => worker.manner === manner)
  return (
    alike.find(({ work }) => work === undefined) ??
    (alike.length < MOST[manner] ? start(manner) : undefined)
  )
}

const begin = (worker: Worker, work: Work): void => {
  worker.work = work
  worker.child.ref()
  worker.child.channel?.ref()
  worker.child.send(work.task)
  // Also with work that another one did, as it would keep its place for ever.
  worker.stalling = setTimeout(() => worker.child.kill('SIGKILL'), STALLED_AFTER)
  if (worker.manner === 'insistent') return
  worker.starving = setTimeout(() => {
    // Another process does the same work, and the first result counts.
    worker.starved = true
    waiting = [work, ...waiting]
    handOut()
  }, STARVED_AFTER)
}

const end = (worker: Worker): Work | undefined => {
  const { work } = worker
  clearTimeout(worker.starving)
  clearTimeout(worker.stalling)
  worker.starved = false
  worker.work = undefined
  waiting = waiting.filter((each) => each !== work)
  return work
}

/** Gives the work of a lost process to another one. */
const giveOn = (work: Work): void => {
  if (work.isDone || workers.some((worker) => worker.work === work)) return
  if (work.isRepeated) {
    work.reject(refusal('busy'))
    return
  }
  work.isRepeated = true
  waiting = [work, ...waiting]
}

const start = (manner: Manner): Worker => {
  // Its environment has neither database settings nor the marks of a worker.
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = fork(join(import.meta.dirname, 'passwordProcess.ts'), [manner], {
    env: { PATH, NODE_COMPILE_CACHE },
    execArgv: [],
    serialization: 'advanced',
  })
  const worker: Worker = { manner, child, work: undefined, starved: false }
  child.on('message', (done: Done) => {
    const work = end(worker)
    child.unref()
    child.channel?.unref()
    if (work) work.isDone = true
    if ('error' in done) work?.reject(done.error)
    else work?.resolve(done.result)
    handOut()
  })
  const lost = () => {
    workers = workers.filter((each) => each !== worker)
    const work = end(worker)
    if (work) giveOn(work)
    handOut()
  }
  child.on('error', lost)
  child.once('exit', lost)
  workers = [...workers, worker]
  return worker
}
