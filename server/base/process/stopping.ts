import { setTimeout as wait } from 'node:timers/promises'
import type { Lifecycle } from './lifecycle.ts'
import type { Log } from './log.ts'

/** Registers a step that undoes a part of the start, with the name of that part. */
export type WhenStopped = (what: string, step: () => Promise<unknown>) => void

type Options = {
  readonly log: Log
  readonly lifecycle: Lifecycle
  /**
   * Seconds before the first step. The process serves on and is not ready, so that load balancers
   * look elsewhere before its port is gone.
   */
  readonly drain: number
  /** Time limit of all steps together, in seconds. */
  readonly limit: number
}

/**
 * On SIGTERM, SIGINT or SIGHUP, drains, takes the steps in reverse, and exits with 0 if all
 * succeed. At the limit, it logs the hanging step and exits with 1. Acknowledged data is safe.
 */
export const stopOnSignal = ({ log, lifecycle, drain, limit }: Options): WhenStopped => {
  const steps: { readonly what: string; readonly step: () => Promise<unknown> }[] = []

  const stop = async (signal: string): Promise<void> => {
    if (lifecycle.stage() === 'stopping') return
    const isServing = lifecycle.stage() === 'serving'
    lifecycle.stop()
    if (isServing && drain > 0) {
      log.info({ signal, seconds: drain }, 'stopping: serving on, and not ready')
      await wait(drain * 1_000)
    }
    log.info({ signal }, 'stopping: finishing open requests')
    // A process that serves nothing itself may wait for others that drain.
    const seconds = isServing ? limit : limit + drain
    let taking = ''
    setTimeout(() => {
      log.fatal(
        { hangs: taking, notStopped: steps.map(({ what }) => what) },
        `not stopped within ${seconds} seconds: exiting`,
      )
      process.exit(1)
    }, seconds * 1_000)
    let code = 0
    for (let next = steps.pop(); next; next = steps.pop()) {
      taking = next.what
      log.debug({ step: taking }, 'stopping')
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
