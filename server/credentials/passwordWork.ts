import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Done, Manner, Task } from './passwordProcess.ts'

// The work is long for a processor. On the threads that Node shares between files, names and
// compression it would hold those up; on all processors, everything. So processes do it that take a
// processor only while nobody else wants it (docs/decisions/009).
const MOST: Readonly<Record<Manner, number>> = {
  polite: Math.max(1, Math.min(4, availableParallelism() - 1)),
  insistent: 1,
}

/**
 * How long, in milliseconds, a polite process may take for what needs some hundredths of a second;
 * longer, and it is not given a processor to do it.
 */
const STARVED_AFTER = 250

type Work = {
  readonly task: Task
  readonly resolve: (result: string | boolean) => void
  readonly reject: (reason: unknown) => void
}

type Worker = {
  readonly manner: Manner
  readonly child: ChildProcess
  work: Work | undefined
  starved: boolean
  starving?: NodeJS.Timeout
}

let workers: readonly Worker[] = []
let waiting: readonly Work[] = []

/**
 * Hashes a password, or verifies it against a hash, in the order of the calls. The processes for it
 * are started when they are needed, and do not keep this one alive.
 */
export const carryOut = (task: Task): Promise<string | boolean> =>
  new Promise((resolve, reject) => {
    waiting = [...waiting, { task, resolve, reject }]
    handOut()
  })

/**
 * Gives what waits to whoever is free: the polite first, and where even they wait for a processor,
 * to the one that does not let everybody go ahead.
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
  if (worker.manner === 'insistent') return
  worker.starving = setTimeout(() => {
    // Somebody else is to do the same; whose outcome comes first counts.
    worker.starved = true
    waiting = [work, ...waiting]
    handOut()
  }, STARVED_AFTER)
}

const end = (worker: Worker): Work | undefined => {
  const { work } = worker
  clearTimeout(worker.starving)
  worker.starved = false
  worker.work = undefined
  waiting = waiting.filter((each) => each !== work)
  return work
}

const start = (manner: Manner): Worker => {
  // It is told nothing of the database, and not that it belongs to one of several servers.
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
    if ('error' in done) work?.reject(done.error)
    else work?.resolve(done.result)
    handOut()
  })
  const lost = (reason: unknown) => {
    workers = workers.filter((each) => each !== worker)
    end(worker)?.reject(reason)
    handOut()
  }
  child.on('error', lost)
  child.once('exit', () => lost(new Error('a process for passwords has ended')))
  workers = [...workers, worker]
  return worker
}
