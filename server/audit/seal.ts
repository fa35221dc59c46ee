import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Log } from '../log.ts'

/** How many entries are sealed in one transaction. */
const BATCH = 1_000
/** How long a waiting entry waits at most for the next round, in milliseconds. */
const EVERY = 500
/** How often the head of the chain is logged, in milliseconds, when it has moved. */
const HEAD_LOGGED_EVERY = 60_000

/** Appends every waiting entry to the hash chain. Any number of processes may do so at once. Returns how many it sealed. */
export const sealAudit = async (db: Kysely<Schema>): Promise<number> => {
  for (let total = 0; ; ) {
    const { rows } = await sql<{ sealed: number }>`SELECT seal_audit(${BATCH}) AS sealed`.execute(db)
    const sealed = rows[0]?.sealed ?? 0
    total += sealed
    if (sealed < BATCH) return total
  }
}

export type Head = { readonly position: bigint; readonly hash: string }

/** The end of the chain; undefined while it is empty. Kept elsewhere, it shows whether the chain was cut off: that is why it is logged. */
export const auditHead = async (db: Kysely<Schema>): Promise<Head | undefined> => {
  const { rows } = await sql<Head>`SELECT position, encode(hash, 'hex') AS hash FROM audit_seals ORDER BY position DESC LIMIT 1`.execute(db)
  return rows[0]
}

/**
 * Seals what was put on record, on every node within a second, beside the money path and never in its way. `stop` seals once more and resolves
 * when nothing is under way.
 */
export const startSealing = (db: Kysely<Schema>, log: Log): { readonly stop: () => Promise<void> } => {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  let stopped = false
  let logged = { at: 0, position: 0n }

  const logHead = async () => {
    const head = await auditHead(db)
    if (head && head.position !== logged.position) log.info({ position: String(head.position), hash: head.hash }, 'head of the audit chain')
    logged = { at: Date.now(), position: head?.position ?? 0n }
  }
  const seal = async () => {
    try {
      await sealAudit(db)
      if (stopped || Date.now() - logged.at >= HEAD_LOGGED_EVERY) await logHead()
    } catch (err) {
      log.error({ err }, 'sealing the audit trail failed; it will be tried again')
    }
  }
  const next = () => {
    round = seal().then(() => {
      if (!stopped) timer = setTimeout(next, EVERY).unref()
    })
  }
  next()

  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await round
      await seal()
    },
  }
}
