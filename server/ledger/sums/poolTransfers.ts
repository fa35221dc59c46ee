/** Every transfer in a span of time, for the pool's statement (docs/product.md 5.39). */
import { refusal } from '@pool/contract/base/refusals'
import type { AccountKind, MovementName } from '@pool/contract/money/ledger'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { POOL_OWNER } from '../families/accounts.ts'

export type PoolTransfer = {
  readonly at: Date
  readonly movement: MovementName
  readonly referenceId: string
  readonly investorId: string | null
  readonly from: AccountKind
  readonly to: AccountKind
  /** Cents. */
  readonly amount: bigint
  readonly network: string | null
  readonly evidence: string | null
  readonly asset: string | null
  readonly coins: string | null
}

/** The moment of the first capital, with which a pool begins. */
export const firstContribution = (db: Kysely<Schema>) =>
  db.selectFrom('contributions').select('created_at').orderBy('created_at').limit(1).execute()

/** A month is archived once nothing of it moved in the days before (`archiveMonth`). */
const QUIET = sql`interval '90 days'`

/** True if movements since this moment may lie in an archive alone. */
export const isArchivedSince = async (db: Kysely<Schema>, from: Date): Promise<boolean> => {
  const { rows } = await sql<{ archived: boolean }>`
    SELECT EXISTS (SELECT FROM archived_months WHERE movements > 0 AND archived_at - ${QUIET} > ${from}) AS archived`.execute(
    db,
  )
  return rows[0]?.archived !== false
}

/** Throws `statementArchived` if that is so. */
export const requireUnarchived = async (db: Kysely<Schema>, from: Date): Promise<void> => {
  if (await isArchivedSince(db, from)) throw refusal('statementArchived')
}

/** The cents of each kind of account right before a moment. Kinds without movements are missing. */
export const selectAccountsBefore = (
  moment: Date,
): RawBuilder<{ readonly kind: AccountKind; readonly amount: bigint }> => sql`
  SELECT a.kind, sum(c.amount)::bigint AS amount FROM (
    SELECT account_id, amount FROM closing_balances
    UNION ALL SELECT to_account_id, amount FROM transfers WHERE created_at < ${moment}
    UNION ALL SELECT from_account_id, -amount FROM transfers WHERE created_at < ${moment}
  ) AS c JOIN accounts AS a ON a.id = c.account_id GROUP BY a.kind`

/** Selects the transfers from a moment to another, without that, in order. */
export const selectPoolTransfers = ({
  from,
  to,
}: {
  readonly from: Date
  readonly to: Date
}): RawBuilder<PoolTransfer> => sql`
  SELECT f.created_at AS at, f.movement, f.reference_id AS "referenceId",
    coalesce(nullif(source.owner_id, '${sql.raw(POOL_OWNER)}'), nullif(target.owner_id, '${sql.raw(POOL_OWNER)}')) AS "investorId",
    source.kind AS "from", target.kind AS "to", f.amount,
    CASE WHEN arrived THEN t.evidence_network WHEN went THEN t.sent_network ELSE m.network_name END AS network,
    CASE WHEN arrived THEN t.evidence WHEN went THEN t.sent_evidence ELSE m.transaction_id END AS evidence,
    coalesce(coin.asset, m.asset) AS asset,
    trim_scale(coalesce(coin.units, m.units) / power(10::numeric, coalesce(coin.decimals, m.decimals)))::text AS coins
  FROM transfers AS f
  JOIN accounts AS source ON source.id = f.from_account_id JOIN accounts AS target ON target.id = f.to_account_id
  CROSS JOIN LATERAL (SELECT f.movement IN ('deposit_confirmed', 'deposit_reversed') AS arrived, f.movement = 'withdrawal_completed' AS went) AS way
  LEFT JOIN transactions AS t ON (arrived OR went) AND t.id = f.reference_id
  LEFT JOIN network_fees AS fee ON f.movement IN ('network_fee_paid', 'network_fee_returned') AND fee.id = f.reference_id
  LEFT JOIN coin_movements AS m ON m.id = fee.movement_id
  LEFT JOIN LATERAL (
    (SELECT asset, units, decimals FROM payments AS p JOIN wallets ON wallets.id = t.wallet_id
    WHERE arrived AND p.network_name = t.evidence_network AND p.transaction_id = t.evidence
      AND p.output = coalesce(t.evidence_output, p.output) AND lower(p.address) = lower(wallets.address) ORDER BY p.output LIMIT 1)
    UNION ALL
    (SELECT b.asset, p.units, b.decimals FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id WHERE went AND p.withdrawal_id = t.id AND p.is_open LIMIT 1)
  ) AS coin ON true
  WHERE f.created_at >= ${from} AND f.created_at < ${to}
  ORDER BY f.created_at, f.reference_id, f.movement, f.place`
