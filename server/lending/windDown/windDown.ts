/** Begins the end of the pool, or calls it off (docs/product.md 5.42, docs/decisions/072). */
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { pauseForWindDown, resumeAfterWindDown } from '../../money/brakes/pauses.ts'
import type { OnRecord } from '../../records/audit/record.ts'

type RunningWindDown = {
  readonly id: string
  readonly since: Date
  readonly lastMaturityAt: Date
  /** The moment from which balances hold back no capital. */
  readonly claimsUntil: Date
}

/** The wind-down that is under way. */
export const currentWindDown = async (db: Kysely<Schema>): Promise<RunningWindDown | undefined> => {
  const { rows } = await sql<RunningWindDown>`
    SELECT id, created_at AS since, last_maturity_at AS "lastMaturityAt", claims_until(w) AS "claimsUntil"
    FROM current_wind_down() AS w`.execute(db)
  return rows[0]
}

/** Throws `windingDown` while the pool winds down. */
export const requireRunning = async (db: Kysely<Schema>): Promise<void> => {
  if (await currentWindDown(db)) throw refusal('windingDown')
}

/** Throws `notWindingDown`, and `windDownGoesOn` once capital has left. */
export const requireCallable = async (db: Kysely<Schema>): Promise<RunningWindDown> => {
  const current = await currentWindDown(db)
  if (!current) throw refusal('notWindingDown')
  const { rows } = await sql<{ gone: boolean }>`
    SELECT EXISTS (SELECT FROM capital_withdrawals WHERE created_at >= ${current.since}) AS gone`.execute(
    db,
  )
  if (rows[0]?.gone) throw refusal('windDownGoesOn')
  return current
}

/**
 * Takes no new money from now on. The id is that of the proposal. Returns the moment at which the
 * last investment matures.
 */
export const beginWindDown = async (
  { db: transaction, keys }: OnRecord,
  { id, by }: { readonly id: string; readonly by: Actor },
): Promise<Date> => {
  await requireRunning(transaction)
  await pauseForWindDown({ db: transaction, keys }, by)
  const { last_maturity_at } = await transaction
    .insertInto('wind_downs')
    .values({
      id,
      last_maturity_at: sql<Date>`greatest(now(), (SELECT max(matures_at) FROM transactions WHERE investment_status = 'ACTIVE'))`,
    })
    .returning('last_maturity_at')
    .executeTakeFirstOrThrow()
  return last_maturity_at
}

/** Takes new money again. The id is that of the proposal. */
export const callOffWindDown = async (
  { db: transaction, keys }: OnRecord,
  { id, by, reason }: { readonly id: string; readonly by: Actor; readonly reason: string },
): Promise<void> => {
  const { id: current } = await requireCallable(transaction)
  await transaction
    .updateTable('wind_downs')
    .set({ called_off_id: id, called_off_at: sql<Date>`now()` })
    .where('id', '=', current)
    .execute()
  await resumeAfterWindDown({ db: transaction, keys }, { by, reason })
}
