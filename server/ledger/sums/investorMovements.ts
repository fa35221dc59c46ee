/** Every movement of an investor's money, also of archived months (docs/product.md 5.39). */
import type { AccountKind, MovementName } from '@pool/contract/money/ledger'
import type { StatementPart } from '@pool/contract/reports/statements'
import { type RawBuilder, sql } from 'kysely'
import { POOL_OWNER } from '../families/accounts.ts'

/** Cents by part. Claims of the pool are the debt of the investor. */
export type Parts = Readonly<Record<StatementPart, bigint>>

/** A movement with the cents by which it changed each part. Null is no change. */
export type InvestorMovement = Readonly<Record<StatementPart, bigint | null>> & {
  readonly at: Date
  readonly movement: MovementName
  readonly transactionId: string
  readonly investmentId: string | null
  /** Cents, without interest. Zero when the whole principal of an investment was lost before. */
  readonly amount: bigint
  readonly interest: bigint
  readonly network: string | null
  readonly evidence: string | null
  readonly output: number | null
  readonly asset: string | null
  /** The coins as a decimal number, and the dollars of one. */
  readonly coins: string | null
  readonly rate: string | null
  readonly rateAt: Date | null
  readonly address: string | null
}

type Moved = { readonly cents?: RawBuilder<unknown>; readonly at: RawBuilder<unknown> }

/** A transfer of the rows that fulfil a condition, between two kinds of accounts. */
const one = (
  when: RawBuilder<unknown>,
  movement: MovementName,
  [from, to]: readonly [AccountKind, AccountKind],
  { cents = sql`t.amount`, at }: Moved,
) => sql`(${when}, ${sql.lit(movement)}, ${sql.lit(from)}, ${sql.lit(to)}, ${cents}, ${at})`

const CREATED = sql`t.created_at`
const DECIDED = sql`t.updated_at`
const INVESTED = sql`t.type = 'investment'`
const MATURED = sql`t.investment_status = 'COMPLETED'`

/**
 * The transfers that each row of `transactions` caused, with their moments. A row is written in the
 * transaction of its movement, so both have the same moment. A test compares all of them.
 */
const CAUSED = sql.join([
  one(
    sql`t.type = 'deposit' AND t.status IN ('APPROVED', 'REVERSED')`,
    'deposit_confirmed',
    ['custody', 'available'],
    { at: DECIDED },
  ),
  one(sql`t.status = 'REVERSED'`, 'deposit_reversed', ['claims', 'custody'], {
    at: sql`(SELECT created_at FROM claims WHERE deposit_id = t.id)`,
  }),
  one(sql`t.type = 'withdrawal'`, 'withdrawal_held', ['available', 'held'], { at: CREATED }),
  one(sql`t.type = 'withdrawal'`, 'withdrawal_fee_borne', ['available', 'held'], {
    cents: sql`t.fee`,
    at: CREATED,
  }),
  one(
    sql`t.type = 'withdrawal' AND t.status = 'COMPLETED'`,
    'withdrawal_fee_kept',
    ['held', 'reserve'],
    { cents: sql`t.fee`, at: sql`t.completed_at` },
  ),
  one(sql`t.status = 'REJECTED'`, 'withdrawal_fee_returned', ['held', 'available'], {
    cents: sql`t.fee`,
    at: DECIDED,
  }),
  one(sql`t.status = 'RETURNED'`, 'withdrawal_fee_returned', ['held', 'available'], {
    cents: sql`t.fee`,
    at: sql`t.returned_at`,
  }),
  one(
    sql`t.type = 'withdrawal' AND t.status IN ('APPROVED', 'PROCESSING', 'COMPLETED', 'RETURNED')`,
    'withdrawal_approved',
    ['held', 'outgoing'],
    { at: DECIDED },
  ),
  one(
    sql`t.type = 'withdrawal' AND t.status = 'COMPLETED'`,
    'withdrawal_completed',
    ['outgoing', 'custody'],
    {
      at: sql`t.completed_at`,
    },
  ),
  one(sql`t.status = 'RETURNED'`, 'withdrawal_returned', ['outgoing', 'available'], {
    at: sql`t.returned_at`,
  }),
  one(
    sql`t.type = 'withdrawal' AND t.status = 'REJECTED'`,
    'withdrawal_released',
    ['held', 'available'],
    { at: DECIDED },
  ),
  one(INVESTED, 'investment_opened', ['available', 'invested'], { at: CREATED }),
  one(INVESTED, 'investment_opened', ['reserve', 'committed'], {
    cents: sql`t.interest`,
    at: CREATED,
  }),
  one(MATURED, 'investment_matured', ['invested', 'available'], {
    cents: sql`t.amount - t.borne`,
    at: DECIDED,
  }),
  one(MATURED, 'investment_matured', ['committed', 'available'], {
    cents: sql`t.interest`,
    at: DECIDED,
  }),
  one(sql`t.type = 'reversal'`, 'claim_collected', ['available', 'claims'], { at: CREATED }),
  one(sql`t.type = 'loss'`, 'loss_shared', ['invested', 'loss'], { at: CREATED }),
  one(sql`t.type = 'recovery'`, 'loss_returned', ['custody', 'available'], { at: CREATED }),
])

/** The transfers of an investor until a moment, without it. */
const transfersUntil = (owner: string, until: Date | RawBuilder<unknown>) => sql`
  archived AS MATERIALIZED (
    SELECT coalesce((SELECT until_id FROM archived_months ORDER BY until_id DESC LIMIT 1), '${sql.raw(POOL_OWNER)}') AS until
  ), own AS (
    SELECT * FROM transactions WHERE user_id = ${owner} AND created_at < ${until} AND type <> 'payout'
  ), written AS (
    SELECT w.id, w.amount, w.created_at FROM own JOIN write_offs AS w ON w.claim_id = own.id WHERE own.status = 'REVERSED'
  ), kinds AS MATERIALIZED (
    SELECT id, kind FROM accounts WHERE owner_id IN (${owner}, '${sql.raw(POOL_OWNER)}')
  ), moved AS (
    SELECT f.reference_id, f.movement, source.kind AS source, target.kind AS target, f.amount, f.created_at AS at
    FROM (SELECT id FROM own UNION ALL SELECT id FROM written) AS cause
    JOIN transfers AS f ON f.reference_id = cause.id
    JOIN kinds AS source ON source.id = f.from_account_id JOIN kinds AS target ON target.id = f.to_account_id
    WHERE f.created_at < ${until}
    UNION ALL
    SELECT t.id, c.movement, c.source, c.target, c.amount, c.at
    FROM archived JOIN own AS t ON t.id < archived.until
    CROSS JOIN LATERAL (VALUES ${CAUSED}) AS c (counts, movement, source, target, amount, at)
    WHERE c.counts AND c.amount > 0 AND c.at < ${until}
    UNION ALL
    SELECT w.id, 'claim_written_off', 'reserve', 'claims', w.amount, w.created_at
    FROM archived JOIN written AS w ON w.id < archived.until WHERE w.created_at < ${until}
  )`

const changeOf = (kind: AccountKind, sign = 1) => sql`
  sum(CASE ${sql.lit(kind)} WHEN target THEN ${sql.lit(sign)} * amount WHEN source THEN ${sql.lit(-sign)} * amount END)::bigint`

const CHANGES = sql`${changeOf('available')} AS available, ${changeOf('held')} AS held, ${changeOf('outgoing')} AS "onTheWay",
  ${changeOf('invested')} AS invested, ${changeOf('committed')} AS promised, ${changeOf('claims', -1)} AS debt`

/** Selects one row: the cents of each part right before a moment. Null is zero. */
export const selectPartsBefore = (
  owner: string,
  moment: Date,
): RawBuilder<Readonly<Record<StatementPart, bigint | null>>> =>
  sql`WITH ${transfersUntil(owner, moment)} SELECT ${CHANGES} FROM moved`

/** Selects the same for each moment, a row for each, in their order. */
export const selectPartsBeforeEach = (
  owner: string,
  moments: readonly Date[],
): RawBuilder<Readonly<Record<StatementPart, bigint | null>>> => sql`
  SELECT parts.* FROM unnest(${moments}::timestamptz[]) WITH ORDINALITY AS o (opens, place)
  CROSS JOIN LATERAL (WITH ${transfersUntil(owner, sql`o.opens`)} SELECT ${CHANGES} FROM moved) AS parts
  ORDER BY o.place`

/** Selects the movements from a moment to another, without that, in order. */
export const selectInvestorMovements = (
  owner: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): RawBuilder<InvestorMovement> => sql`
  WITH ${transfersUntil(owner, to)}, lines AS MATERIALIZED (
    SELECT reference_id, movement, at, coalesce(sum(amount) FILTER (WHERE is_principal), 0)::bigint AS amount,
      coalesce(sum(amount) FILTER (WHERE NOT is_principal), 0)::bigint AS interest, ${CHANGES}
    FROM moved CROSS JOIN LATERAL (SELECT 'committed' NOT IN (source, target) AS is_principal) AS leg
    WHERE at >= ${from} GROUP BY reference_id, movement, at
  )
  SELECT l.at, l.movement, coalesce(payout.id, written_off.claim_id, t.id) AS "transactionId",
    CASE WHEN t.type = 'investment' THEN t.id END AS "investmentId", l.amount, l.interest,
    l.available, l.held, l."onTheWay", l.invested, l.promised, l.debt,
    CASE WHEN arrived THEN t.evidence_network WHEN went THEN t.sent_network END AS network,
    CASE WHEN arrived THEN t.evidence WHEN went THEN t.sent_evidence END AS evidence,
    CASE WHEN arrived THEN t.evidence_output WHEN went THEN t.sent_output END AS output,
    coin.asset, trim_scale(coin.units / power(10::numeric, coin.decimals))::text AS coins, trim_scale(coin.dollars)::text AS rate, coin.rate_at AS "rateAt",
    CASE WHEN t.type = 'withdrawal' THEN t.payee_address WHEN arrived THEN wallets.address END AS address
  FROM lines AS l
  CROSS JOIN LATERAL (SELECT movement IN ('deposit_confirmed', 'deposit_reversed') AS arrived, movement = 'withdrawal_completed' AS went) AS way
  LEFT JOIN transactions AS t ON t.id = l.reference_id
  LEFT JOIN transactions AS payout ON payout.investment_id = l.reference_id AND payout.type = 'payout' AND l.movement = 'investment_matured'
  LEFT JOIN write_offs AS written_off ON written_off.id = l.reference_id
  LEFT JOIN wallets ON wallets.id = t.wallet_id
  LEFT JOIN LATERAL (
    (SELECT asset, units, decimals, dollars, rate_at FROM payments AS p
    WHERE arrived AND p.network_name = t.evidence_network AND p.transaction_id = t.evidence
      AND p.output = coalesce(t.evidence_output, p.output) AND lower(p.address) = lower(wallets.address) ORDER BY p.output LIMIT 1)
    UNION ALL
    (SELECT b.asset, p.units, b.decimals, b.dollars, b.rate_at FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id
    WHERE went AND p.withdrawal_id = t.id AND p.is_open LIMIT 1)
  ) AS coin ON true
  ORDER BY l.at, l.reference_id, l.movement`
