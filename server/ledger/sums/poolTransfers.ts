/** Every transfer in a span of time, for the pool's statement (docs/product.md 5.39). */
import { refusal } from '@pool/contract/base/refusals'
import { type AccountKind, type MovementName, movementNames } from '@pool/contract/money/ledger'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { POOL_OWNER } from '../families/accounts.ts'
import type { Expected } from '../families/movement.ts'
import { companionMovements, movements } from '../families/movements.ts'

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
  /** The row that caused it, or that caused all parts of a loss. */
  readonly event: string
  /** The day on which it counts between the two sides, as ISO text. */
  readonly valueDay: string
  readonly loanId: string | null
  readonly borrowerId: string | null
  /** Numbers of the instalments that a repayment paid, with spaces between. */
  readonly instalments: string | null
  /** The text that a borrower's payment came with. */
  readonly paymentReference: string | null
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

/** The table with the row that caused a movement, in words. */
type Cause =
  | 'arrival'
  | 'payout'
  | 'share'
  | 'fee'
  | 'disbursement'
  | 'sending'
  | 'writeOff'
  | 'repayment'
  | 'reversal'

/** The movements of transactions of which facts are read. */
const OF_TRANSACTIONS: Partial<Readonly<Record<MovementName, Cause>>> = {
  deposit_confirmed: 'arrival',
  deposit_reversed: 'arrival',
  withdrawal_completed: 'payout',
  loss_shared: 'share',
  loss_returned: 'share',
}

const OF_TABLES: Readonly<Record<string, Cause>> = {
  loan_disbursements: 'disbursement',
  loan_repayments: 'repayment',
  loan_reversals: 'reversal',
  loan_sendings: 'sending',
  loan_write_offs: 'writeOff',
  network_fees: 'fee',
}

const rules: Readonly<
  Record<MovementName, { readonly legs: unknown; readonly expected?: Expected }>
> = {
  ...movements,
  ...companionMovements,
}

/** The cause of a movement, by the rows that caused it. */
const causeOf = (name: MovementName): Cause | undefined =>
  OF_TRANSACTIONS[name] ?? OF_TABLES[rules[name].expected?.rows.table ?? '']

const oneOf = (...names: readonly MovementName[]) =>
  sql`f.movement IN (${sql.join(names.map((name) => sql.lit(name)))})`
const by = (cause: Cause) =>
  oneOf(...movementNames.filter((movement) => causeOf(movement) === cause))

/** Joins the rows that caused a transfer `f`. */
const CAUSES = sql`
  CROSS JOIN LATERAL (SELECT ${by('arrival')} AS arrived, ${by('payout')} AS went, ${by('share')} AS shared, ${by('repayment')} AS repaid,
    ${oneOf('loan_interest_received', 'loan_interest_reversed')} AS "isInterest") AS way
  LEFT JOIN transactions AS t ON (arrived OR went OR shared) AND t.id = f.reference_id
  LEFT JOIN network_fees AS fee ON ${by('fee')} AND fee.id = f.reference_id
  LEFT JOIN coin_movements AS m ON m.id = fee.movement_id
  LEFT JOIN loan_disbursements AS d ON ${by('disbursement')} AND d.id = f.reference_id
  LEFT JOIN loan_sendings AS s ON ${by('sending')} AND s.id = f.reference_id
  LEFT JOIN loan_write_offs AS w ON ${by('writeOff')} AND w.id = f.reference_id
  LEFT JOIN loan_reversals AS v ON ${by('reversal')} AND v.id = f.reference_id
  LEFT JOIN loan_repayments AS r ON r.id = CASE WHEN repaid THEN f.reference_id WHEN shared THEN t.repayment_id ELSE v.repayment_id END
  LEFT JOIN loans AS l ON l.id = coalesce(d.loan_id, s.loan_id, w.loan_id, r.loan_id)`

/** The coins of a transfer's payment, where a node showed it. */
const COINS = sql`
  (SELECT asset, units, decimals FROM payments AS p JOIN wallets ON wallets.id = t.wallet_id
  WHERE arrived AND p.network_name = t.evidence_network AND p.transaction_id = t.evidence
    AND p.output = coalesce(t.evidence_output, p.output) AND lower(p.address) = lower(wallets.address) ORDER BY p.output LIMIT 1)
  UNION ALL
  (SELECT b.asset, p.units, b.decimals FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id WHERE went AND p.withdrawal_id = t.id AND p.is_open LIMIT 1)
  UNION ALL
  (SELECT b.asset, p.units, b.decimals FROM loan_sendings AS paid JOIN batch_payouts AS p ON p.sending_id = paid.id JOIN batches AS b ON b.id = p.batch_id
  WHERE d.sent AND target.kind = 'custody' AND paid.loan_id = d.loan_id AND paid.status = 'PAID' AND p.is_open LIMIT 1)`

/** The instalments that a repayment paid or its reversal opens, of principal or of interest. */
const INSTALMENTS = sql`
  (SELECT string_agg(number::text, ' ' ORDER BY number) FROM loan_repayment_parts
  WHERE repayment_id = r.id AND CASE WHEN "isInterest" THEN interest ELSE principal END > 0)`

/**
 * Selects the transfers from a moment to another, without that, in order. The transfers of an event
 * follow one another.
 */
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
    CASE WHEN arrived THEN t.evidence_network WHEN went THEN t.sent_network ELSE coalesce(d.network_name, m.network_name) END AS network,
    CASE WHEN arrived THEN t.evidence WHEN went THEN t.sent_evidence ELSE coalesce(d.evidence, m.transaction_id) END AS evidence,
    coalesce(coin.asset, m.asset) AS asset,
    trim_scale(coalesce(coin.units, m.units) / power(10::numeric, coalesce(coin.decimals, m.decimals)))::text AS coins,
    event, coalesce(d.disbursed_on, r.value_on, (f.created_at AT TIME ZONE 'UTC')::date)::text AS "valueDay",
    l.id AS "loanId", l.borrower_id AS "borrowerId", ${INSTALMENTS} AS instalments, r.reference AS "paymentReference"
  FROM transfers AS f
  JOIN accounts AS source ON source.id = f.from_account_id JOIN accounts AS target ON target.id = f.to_account_id
  ${CAUSES}
  LEFT JOIN LATERAL (${COINS}) AS coin ON true
  CROSS JOIN LATERAL (SELECT CASE WHEN shared THEN coalesce(t.repayment_id, t.sharing_id) ELSE f.reference_id END AS event) AS caused
  WHERE f.created_at >= ${from} AND f.created_at < ${to}
  ORDER BY f.created_at, event, f.reference_id, f.movement, f.place`
