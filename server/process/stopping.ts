import type { Lifecycle } from './lifecycle.ts'
import type { Log } from './log.ts'

/** Registers a step that undoes a part of the start, with the name of that part. */
export type WhenStopped = (what: string, step: () => Promise<unknown>) => void

type Options = {
  readonly log: Log
  readonly lifecycle: Lifecycle
  /** Time limit of all steps together, in seconds. */
  readonly limit: number
}

/**
 * On SIGTERM, SIGINT or SIGHUP, takes the steps in reverse and exits with 0 if all succeed. At the
 * limit it logs the hanging step and exits with 1. Acknowledged data is safe, as after kill -9.
 */
export const stopOnSignal = ({ log, lifecycle, limit }: Options): WhenStopped => {
  const steps: { readonly what: string; readonly step: () => Promise<unknown> }[] = []
  let stopping = false

  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    lifecycle.stop()
    log.info({ signal }, 'stopping: finishing open requests')
    let taking = ''
    setTimeout(() => {
      log.fatal(
        { hangs: taking, notStopped: steps.map(({ what }) => what) },
        `not stopped within ${limit} seconds: exiting`,
      )
      process.exit(1)
    }, limit * 1_000)
    let code = 0
    for (let next = steps.pop(); next; next = steps.pop()) {
      taking = next.what
      await next.step().catch((err: unknown) => {
        code = 1
        log.error({ err, step: taking }, 'a stop step failed')
      })
    }
    log.info('stopped')
    process.exit(code)
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => void stop(signal))
  return (what, step) => void steps.push({ what, step })
}
