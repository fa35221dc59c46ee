import type { Lifecycle } from './lifecycle.ts'
import type { Log } from './log.ts'

/** Takes a step that undoes a part of the start, and what it stops. */
export type WhenStopped = (what: string, step: () => Promise<unknown>) => void

type Options = {
  readonly log: Log
  readonly lifecycle: Lifecycle
  /** How long all steps together may take, in seconds. */
  readonly limit: number
}

/**
 * On SIGTERM or SIGINT, also during the start, takes the steps back to front and ends the process:
 * with 0 when all of them succeeded. Whatever cannot be stopped, a database that does not answer
 * for one, must not keep the process for ever: after the limit it says which step hangs, and ends
 * with 1. Nothing that was acknowledged is lost by that, no more than by kill -9.
 */
export const stopOnSignal = ({ log, lifecycle, limit }: Options): WhenStopped => {
  const steps: { readonly what: string; readonly step: () => Promise<unknown> }[] = []
  let stopping = false

  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    lifecycle.stop()
    log.info({ signal }, 'stopping: finishing the requests under way')
    let taking = ''
    setTimeout(() => {
      log.fatal(
        { hangs: taking, notStopped: steps.map(({ what }) => what) },
        `not stopped within ${limit} seconds: ending without`,
      )
      process.exit(1)
    }, limit * 1_000)
    let code = 0
    for (let next = steps.pop(); next; next = steps.pop()) {
      taking = next.what
      await next.step().catch((err: unknown) => {
        code = 1
        log.error({ err, step: taking }, 'a step of stopping failed')
      })
    }
    log.info('stopped')
    process.exit(code)
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  return (what, step) => void steps.push({ what, step })
}
