/** Spendings that nothing explains, which two super admins settle (docs/product.md 5.23). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { refusal } from '@pool/contract/base/refusals'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Actor } from '../../base/sessions/actor.ts'

type AskedSettlement = PayloadOf<'SETTLE_SPENDING'>

/** Coins that a spending paid to others, as SQL gives them. */
export type SentToOthers = readonly {
  readonly address: string | null
  readonly units: string
  readonly decimals: number
  readonly asset: string
}[]

/** The coins that the spending `s` of a query paid to others, in the order of its outputs. */
export const SENT_TO_OTHERS = sql<SentToOthers>`
  coalesce((SELECT jsonb_agg(jsonb_build_object('address', c.address, 'units', c.units::text, 'decimals', c.decimals, 'asset', c.asset) ORDER BY c.output)
    FROM sent_coins AS c WHERE c.spending_id = s.id AND c.units > 0
      AND NOT EXISTS (SELECT FROM wallets AS w WHERE lower(w.address) = lower(c.address) AND w.address = c.address)
      AND NOT EXISTS (SELECT FROM own_addresses AS o WHERE o.network_name = s.network_name AND o.address = c.address)), '[]')`

/** The sum of each coin, in whole coins, as two people read and settle it. */
export const totalOf = (sent: SentToOthers): string => {
  const sums = new Map<string, { units: bigint; decimals: number }>()
  for (const { asset, units, decimals } of sent)
    sums.set(asset, { decimals, units: (sums.get(asset)?.units ?? 0n) + BigInt(units) })
  return [...sums]
    .map(([asset, { units, decimals }]) => `${textOfUnits(units, decimals)} ${asset}`)
    .join(', ')
}

/**
 * Holds an alarm of coins that nothing explains, and returns its spending. Throws `alarmNotFound`,
 * `alarmSettled`, and `alarmChanged` unless it stands as it was shown.
 */
export const requireUnexplained = async (
  db: Kysely<Schema>,
  { alarmId, networkName, transaction, coins }: AskedSettlement,
): Promise<string> => {
  const { rows } = await sql<{
    isSettled: boolean
    stands: boolean
    spendingId: string
    network: string
    transaction: string
    sent: SentToOthers
  }>`
    SELECT a.settled_at IS NOT NULL AS "isSettled", a.ended_at IS NULL AND a.kind = 'UNEXPLAINED' AS stands,
      s.id AS "spendingId", s.network_name AS network, s.transaction_id AS transaction, ${SENT_TO_OTHERS} AS sent
    FROM payout_alarms AS a JOIN spendings AS s ON s.id = a.spending_id WHERE a.id = ${alarmId} FOR UPDATE`.execute(
    db,
  )
  const [found] = rows
  if (!found) throw refusal('alarmNotFound')
  if (found.isSettled) throw refusal('alarmSettled')
  const isAsShown =
    found.network === networkName &&
    found.transaction === transaction &&
    totalOf(found.sent) === coins
  if (!found.stands || !isAsShown) throw refusal('alarmChanged')
  return found.spendingId
}

type AgreedSettlement = {
  readonly proposalId: string
  readonly asked: AskedSettlement
  readonly reason: string
  readonly by: Actor
}

/** Settles the coins and their alarms. Moves no money. Throws as {@link requireUnexplained}. */
export const settleSpending = async (
  transaction: Kysely<Schema>,
  { proposalId, asked, reason, by }: AgreedSettlement,
): Promise<void> => {
  const spendingId = await requireUnexplained(transaction, asked)
  const settled = { settled_at: sql<Date>`now()`, settled_by: by.id ?? null, reason }
  await transaction
    .updateTable('spendings')
    .set({ ...settled, settlement_id: proposalId })
    .where('id', '=', spendingId)
    .execute()
  await transaction
    .updateTable('payout_alarms')
    .set(settled)
    .where('spending_id', '=', spendingId)
    .where('ended_at', 'is', null)
    .where('settled_at', 'is', null)
    .execute()
}
