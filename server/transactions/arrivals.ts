/** Payments that a node confirmed, each with the deposit that it pays. */
import { type Cents, cents } from '@pool/contract/money'
import { worthOf } from '@pool/contract/worth'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { type PaymentRow, paymentColumns } from '../nodes/queries.ts'
import { matchPayments } from './matchPayments.ts'
import { priced, servedBy } from './payments.ts'
import { readQuote } from './quotes.ts'

/** Most payments that are read at once. */
const MOST = 100

/** A confirmed payment to an investor's address that no decided deposit rests on. */
export type Unsettled = PaymentRow & {
  readonly address: string
  readonly height: number
  readonly hash: string
  readonly walletId: string
  readonly ownerId: string
  /** A pending deposit that rests on it. Null without one. */
  readonly claimId: string | null
  /** True if the product opened that deposit. */
  readonly unannounced: boolean | null
}

export type Arrival = {
  readonly payment: Unsettled
  /** The deposit that it pays. Undefined for coins without a request. */
  readonly depositId: string | undefined
  /** The cents that it counts as. Null where no rate counts. */
  readonly worth: Cents | null
}

/** Deposits that rest on the payment: waiting, credited, or opened for it by the product. */
const CLAIMS = sql`
  SELECT id, status, unannounced FROM (
    SELECT * FROM transactions WHERE evidence IS NOT NULL AND status IN ('PENDING', 'APPROVED')
      AND evidence_network = p.network_name AND evidence = p.transaction_id
    UNION ALL
    SELECT * FROM transactions WHERE unannounced AND status NOT IN ('PENDING', 'APPROVED')
      AND evidence_network = p.network_name AND evidence = p.transaction_id) AS t
  WHERE t.evidence_output = p.output OR t.evidence_output IS NULL AND t.wallet_id = w.id`

/** Notes the decided deposit of each payment, which is not read again. */
const settle = async (db: Context['db'], network: string): Promise<void> => {
  await sql`
    UPDATE payments SET deposit_id = claim.id FROM (
      SELECT p.id AS "paymentId", decided.id FROM payments AS p
        JOIN wallets AS w ON w.network_name = p.network_name AND w.address = p.address
        CROSS JOIN LATERAL (SELECT id FROM (${CLAIMS}) AS claims ORDER BY status = 'PENDING' DESC LIMIT 1) AS first
        JOIN transactions AS decided ON decided.id = first.id AND decided.status <> 'PENDING'
      WHERE p.network_name = ${network} AND p.state = 'CONFIRMED' AND p.deposit_id IS NULL) AS claim
    WHERE payments.id = claim."paymentId"`.execute(db)
}

/**
 * Payments of a network worth at least `least` cents that wait for a deposit or its decision, while
 * its node is fine. Those that nothing rests on yet come first, then the oldest.
 */
const readUnsettled = async (
  db: Context['db'],
  network: string,
  least: Cents,
): Promise<(Unsettled & { readonly dollars: string | null })[]> => {
  const { rows } = await sql<Unsettled & { readonly dollars: string | null }>`
    SELECT ${paymentColumns}, p.address, p.height::int, p.block_hash AS hash, p.dollars::text,
      w.id AS "walletId", w.owner_id AS "ownerId", claim.id AS "claimId", claim.unannounced
    FROM payments AS p
      JOIN wallets AS w ON w.network_name = p.network_name AND w.address = p.address
      JOIN chains AS c ON c.network_name = p.network_name AND c.state = 'FINE'
      LEFT JOIN LATERAL (${CLAIMS} LIMIT 1) AS claim ON true
    WHERE p.network_name = ${network} AND p.state = 'CONFIRMED' AND p.deposit_id IS NULL
      AND w.owner_id IS NOT NULL
      AND (p.dollars IS NULL OR p.units * p.dollars * 100 >= ${least}::bigint * 10::numeric ^ p.decimals)
    ORDER BY claim.id IS NOT NULL, p.dollars IS NULL, p.seen_at, p.id LIMIT ${MOST}`.execute(db)
  return rows
}

type OpenDeposit = {
  readonly id: string
  readonly walletId: string
  readonly amount: bigint
  readonly createdAt: Date
}

/** Waiting deposits of these investors that rest on no payment yet, the oldest first. */
const readOpenDeposits = (db: Context['db'], owners: readonly string[]): Promise<OpenDeposit[]> =>
  db
    .selectFrom('transactions')
    .select(['id', 'wallet_id as walletId', 'amount', 'created_at as createdAt'])
    .where('type', '=', 'deposit')
    .where('status', '=', 'PENDING')
    .where('evidence', 'is', null)
    .where('user_id', 'in', owners)
    .orderBy('created_at')
    .orderBy('id')
    .$narrowType<{ walletId: string }>()
    .execute()

/** The arrivals of a network that are worth at least `least` cents, or cannot be priced. */
export const readArrivals = async (
  { config, db }: Pick<Context, 'config' | 'db'>,
  network: string,
  least: Cents,
): Promise<Arrival[]> => {
  await settle(db, network)
  const found = await readUnsettled(db, network, least)
  if (found.length === 0) return []
  const payments = await priced({ config, db }, found)
  const deposits = await readOpenDeposits(db, [...new Set(found.map(({ ownerId }) => ownerId))])
  const quotes = new Map<string, Awaited<ReturnType<typeof readQuote>>>()
  for (const { id } of deposits)
    quotes.set(id, await readQuote(db, { depositId: id, networkName: network }))
  const worthFor = (payment: (typeof payments)[number], deposit?: OpenDeposit) =>
    worthOf(payment.paid, deposit && servedBy(quotes.get(deposit.id), payment, deposit))
  const pays = matchPayments(
    payments.filter(({ claimId }) => claimId === null),
    deposits,
    worthFor,
  )
  return payments.map((payment) => {
    const deposit = pays.get(payment)
    const worth = worthFor(payment, deposit)
    return {
      payment,
      depositId: payment.claimId ?? deposit?.id,
      worth: worth === null ? null : cents(worth),
    }
  })
}
