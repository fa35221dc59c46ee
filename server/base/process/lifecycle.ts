/**
 * Stage of a process. Before it serves, only health calls answer. While it stops, open requests
 * finish.
 */
export type Stage = 'starting' | 'serving' | 'stopping'

type Running = { readonly isRunning: () => boolean }

export type Lifecycle = {
  readonly stage: () => Stage
  /** True while the jobs of this process run. */
  readonly jobsRun: () => boolean
  /** Marks the process as serving, with its jobs. */
  readonly serve: (jobs: Running) => void
  readonly stop: () => void
}

export const openLifecycle = (): Lifecycle => {
  let stage: Stage = 'starting'
  let running: Running | undefined
  return {
    stage: () => stage,
    jobsRun: () => running?.isRunning() ?? false,
    serve: (jobs) => {
      running = jobs
      if (stage === 'starting') stage = 'serving'
    },
    stop: () => {
      stage = 'stopping'
    },
  }
}
