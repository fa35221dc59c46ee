import type { Log } from '../process/log.ts'

/** A use of the database that notices by itself when it is away, and when it answers again. */
type Use = 'requests' | 'connections' | 'changes' | 'sealing'

/** Logs an outage of the database at its first failure and at its end. */
export type Outages = {
  /** Begins an outage, or counts a failure in one. */
  readonly failed: (use: Use, err: unknown, log?: Pick<Log, 'error'>) => void
  /** Ends the outage once every use that failed has answered. */
  readonly answered: (use: Use) => void
  readonly lasts: () => boolean
}

/** The columns that tell whether the server takes writes, and that they return. */
export const WRITES = `current_setting('transaction_read_only')::boolean AS "readOnly",
  CASE WHEN current_setting('synchronous_standby_names') <> ''
    THEN pg_logical_emit_message(true, 'readiness', '') END AS written`

const ASKED_EVERY_MS = 500

/** `takesWrites` asks for requests and idle connections. The other uses ask on their own. */
export const watchOutages = (log: Log, takesWrites: () => Promise<boolean>): Outages => {
  const away = new Set<Use>()
  let failedRequests = 0
  let since = 0
  let ending: NodeJS.Timeout | undefined

  const answered = (...uses: readonly Use[]): void => {
    if (away.size === 0) return
    for (const use of uses) away.delete(use)
    if (away.size > 0) return
    const seconds = Math.round(performance.now() - since) / 1_000
    // A failure on its way belongs to this outage.
    ending = setTimeout(() => {
      ending = undefined
      log.warn({ failedRequests, seconds }, 'the database answers again')
    }, ASKED_EVERY_MS).unref()
  }
  const askUntilAnswered = async (): Promise<void> => {
    if (await takesWrites().catch(() => false)) answered('requests', 'connections')
    else setTimeout(askUntilAnswered, ASKED_EVERY_MS).unref()
  }

  return {
    failed: (use, err, requestLog = log) => {
      if (away.size === 0 && ending === undefined) {
        since = performance.now()
        failedRequests = 0
        requestLog.error({ err }, 'the database is away; failures are counted until it answers')
      }
      clearTimeout(ending)
      ending = undefined
      if (use === 'requests') failedRequests += 1
      const isAsked = away.has('requests') || away.has('connections')
      away.add(use)
      if ((use === 'requests' || use === 'connections') && !isAsked) void askUntilAnswered()
    },
    answered: (use) => answered(use),
    lasts: () => away.size > 0 || ending !== undefined,
  }
}
