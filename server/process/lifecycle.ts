/**
 * How far a process has come. Before it serves, only its health can be asked for; while it stops,
 * it still answers what is on its way.
 */
export type Stage = 'starting' | 'serving' | 'stopping'

type Running = { readonly isRunning: () => boolean }

export type Lifecycle = {
  readonly stage: () => Stage
  /** Whether the background work of this process goes on. */
  readonly jobsRun: () => boolean
  /** Everything is there, and `jobs` does the background work. */
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
