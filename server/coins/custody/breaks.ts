/** Ends of pauses that a break of the reconciliation made (docs/product.md 5.25). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { centsFromDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { endBreakPause, isByBreak } from '../../money/brakes/pauses.ts'
import type { OnRecord } from '../../records/audit/record.ts'

type AskedBreakEnd = PayloadOf<'END_BREAK'>

/** True for a difference in units that is no larger than another one, in its direction. */
export const isWithin = (difference: bigint, other: bigint): boolean =>
  other < 0n ? difference <= 0n && difference >= other : difference >= 0n && difference <= other

/**
 * Throws `breakChanged` unless a break pauses withdrawals, the comparison has these dollars, and no
 * break of the newest one is larger.
 */
export const requireBreak = async (
  db: Kysely<Schema>,
  { reconciliationId, amount }: AskedBreakEnd,
): Promise<void> => {
  const { rows } = await sql<{ cents: bigint }>`
    SELECT break_cents AS cents FROM reconciliations WHERE id = ${reconciliationId}`.execute(db)
  if (rows[0]?.cents !== centsFromDollars(amount) || !(await isByBreak(db, 'withdrawals')))
    throw refusal('breakChanged')
  const { rows: coins } = await sql<{ now: string; then: string }>`
    SELECT newest.difference::text AS now, coalesce(named.difference, 0)::text AS then
    FROM reconciled_coins AS newest LEFT JOIN reconciled_coins AS named
      ON named.reconciliation_id = ${reconciliationId} AND named.network_name = newest.network_name AND named.asset = newest.asset
    WHERE newest.reconciliation_id = (SELECT id FROM reconciliations ORDER BY at DESC, id DESC LIMIT 1)`.execute(
    db,
  )
  if (coins.some(({ now, then }) => !isWithin(BigInt(now), BigInt(then))))
    throw refusal('breakChanged')
}

type AgreedBreakEnd = {
  readonly proposalId: string
  readonly asked: AskedBreakEnd
  readonly reason: string
  readonly by: Actor
}

/**
 * Lets withdrawals go on with the breaks of a comparison. Larger ones pause again. Throws as
 * {@link requireBreak}.
 */
export const acceptBreak = async (
  { db: transaction, keys }: OnRecord,
  { proposalId, asked, reason, by }: AgreedBreakEnd,
): Promise<void> => {
  await requireBreak(transaction, asked)
  await sql`
    INSERT INTO accepted_breaks (proposal_id, reconciliation_id, network_name, asset, units)
    SELECT ${proposalId}, reconciliation_id, network_name, asset, difference FROM reconciled_coins
    WHERE reconciliation_id = ${asked.reconciliationId} AND difference <> 0`.execute(transaction)
  await endBreakPause({ db: transaction, keys }, { by, reason })
}
