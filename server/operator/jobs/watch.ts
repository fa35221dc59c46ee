import type { Worker, WorkerEvents } from 'graphile-worker'

/**
 * Ticks without a sign of a worker that asks for jobs. Ticks do not pass while the process stands
 * still, as a time would.
 */
const SILENT_TICKS = 8

type Judge = {
  readonly lose: (why: string) => void
  /** The factor of the bound. */
  readonly patience: { readonly factor: number }
}

/**
 * Judges a runner by what its workers do. `lose` gets the reason when one ended, failed, or neither
 * got an answer nor works on a job. Returns a function to call at each tick.
 */
export const watchWorkers = (events: WorkerEvents, { lose, patience }: Judge): (() => void) => {
  const silence = new Map<Worker, number>()
  const heard = ({ worker }: { readonly worker: Worker }) => void silence.set(worker, 0)
  for (const event of ['worker:create', 'worker:getJob:start', 'worker:getJob:empty'] as const)
    events.on(event, heard)
  events.on('job:complete', heard)
  // The row says who works on it. A job takes as long as it takes.
  events.on('job:start', ({ worker }) => void silence.delete(worker))
  events.on('worker:getJob:error', ({ error }) => lose(`no answer for a worker: ${String(error)}`))
  events.on('worker:fatalError', ({ error }) => lose(`a worker failed: ${String(error)}`))
  events.on('worker:stop', () => lose('a worker ended'))
  events.on('pool:fatalError', ({ error }) => lose(`a job was not ended: ${String(error)}`))
  events.on('pool:gracefulShutdown', ({ message }) => lose(message))
  events.on('pool:listen:error', ({ error }) => lose(`new jobs are not heard: ${String(error)}`))
  return () => {
    for (const [worker, ticks] of silence) {
      silence.set(worker, ticks + 1)
      if (ticks >= SILENT_TICKS * patience.factor) lose('a worker is silent')
    }
  }
}
