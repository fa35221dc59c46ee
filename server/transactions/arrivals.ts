/** Payments that a node confirmed, each with the deposit that it pays. */
import { type Cents, cents } from '@pool/contract/money'
import { worthOf } from '@pool/contract/worth'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import { isOwnMove, type PaymentRow, paymentColumns, restsOn } from '../nodes/queries.ts'
import { matchPayments } from './matchPayments.ts'
import { priced, servedBy } from './payments.ts'
import { readQuote } from './quotes.ts'

/** Most payments that are read at once. Staff work off more than that in days. */
const MOST = 1_000

/** A confirmed payment to an investor's address that no decided deposit rests on. */
export type Unsettled = PaymentRow & {
  readonly address: string
  readonly height: number
  readonly hash: string
  readonly walletId: string
  readonly ownerId: string
  /** The pending deposit that rests on it. Null without one. */
  readonly restingId: string | null
  /** True if the product opened that deposit. */
  readonly unannounced: boolean | null
  /**
   * Staff rejected a deposit to the address since the payment was first seen, or named an output
   * of its transaction that no payment has.
   */
  readonly isDoubted: boolean
}

export type MatchedPayment = {
  readonly payment: Unsettled
  /** The deposit that it pays. Undefined for coins without a request. */
  readonly depositId: string | undefined
  /** The cents that it counts as. Null where no rate counts. */
  readonly worth: Cents | null
}

/** The deposit that rests on the payment. A rejected one holds it if the product opened it. */
const RESTING = sql`
  SELECT id, status, unannounced FROM (
    SELECT t.* FROM transactions AS t WHERE ${restsOn} AND t.status IN ('PENDING', 'APPROVED')
    UNION ALL
    SELECT t.* FROM transactions AS t WHERE ${restsOn} AND t.unannounced AND t.status = 'REJECTED') AS found
  ORDER BY status = 'PENDING' DESC LIMIT 1`

/** Payments of others to open accounts, and worth at least `least` cents if a rate counted. */
const waitingFor = (network: string, least: Cents): RawBuilder<unknown> => sql`
  payments AS p JOIN wallets AS w ON w.network_name = p.network_name AND lower(w.address) = lower(p.address)
    JOIN users AS u ON u.id = w.owner_id AND u.closed_at IS NULL
    LEFT JOIN LATERAL (${RESTING}) AS resting ON true
  WHERE p.network_name = ${network} AND p.state = 'CONFIRMED' AND p.deposit_id IS NULL AND NOT ${isOwnMove}
    AND (p.dollars IS NULL OR p.units * p.dollars * 100 >= ${least}::bigint * 10::numeric ^ p.decimals)`

/** The facts of `payments AS p` that a deposit was credited for. */
export const settledAs = sql<string>`concat_ws(' ', p.asset, p.units, lower(p.address))`

/**
 * Notes the decided deposits of payments, which are not read again, and forgets those that were
 * taken back: coins that return are credited anew.
 */
export const settlePayments = async (
  db: Context['db'],
  network: string,
  least: Cents,
): Promise<void> => {
  await sql`
    UPDATE payments AS p SET deposit_id = NULL, settled_as = NULL
    FROM claims AS c WHERE p.deposit_id = c.deposit_id AND p.network_name = ${network}`.execute(db)
  await sql`
    UPDATE payments SET deposit_id = decided.id, settled_as = decided."settledAs"
    FROM (SELECT p.id AS "paymentId", resting.id, ${settledAs} AS "settledAs" FROM ${waitingFor(network, least)} AND resting.status <> 'PENDING') AS decided
    WHERE payments.id = decided."paymentId"`.execute(db)
}

/** Those with a rate come first, then those that nothing rests on. None unless the node is fine. */
const readUnsettled = async (
  db: Context['db'],
  network: string,
  least: Cents,
): Promise<(Unsettled & { readonly dollars: string | null })[]> => {
  const { rows } = await sql<Unsettled & { readonly dollars: string | null }>`
    SELECT ${paymentColumns}, p.address, p.height::int, p.block_hash AS hash, p.dollars::text,
      w.id AS "walletId", w.owner_id AS "ownerId", p."restingId", p.unannounced,
      EXISTS (SELECT FROM transactions AS t WHERE t.user_id = w.owner_id AND t.wallet_id = w.id AND t.type = 'deposit'
        AND t.status = 'REJECTED' AND (t.ending = 'decided' OR t.evidence IS NOT NULL) AND t.updated_at >= p.seen_at)
      OR EXISTS (SELECT FROM transactions AS t WHERE t.evidence IS NOT NULL AND t.status IN ('PENDING', 'APPROVED')
        AND t.evidence_network = p.network_name AND t.evidence = p.transaction_id AND t.wallet_id = w.id
        AND NOT EXISTS (SELECT FROM payments AS named WHERE named.network_name = p.network_name
          AND named.transaction_id = p.transaction_id AND named.output = coalesce(t.evidence_output, p.output))) AS "isDoubted"
    FROM (SELECT p.*, w.id AS "walletId", resting.id AS "restingId", resting.unannounced FROM ${waitingFor(network, least)}) AS p
      JOIN wallets AS w ON w.id = p."walletId"
      JOIN chains AS c ON c.network_name = p.network_name AND c.state = 'FINE'
    ORDER BY p.dollars IS NULL, p."restingId" IS NOT NULL, p.seen_at, p.id LIMIT ${MOST}`.execute(
    db,
  )
  return rows
}

type OpenDeposit = {
  readonly id: string
  readonly ownerId: string
  readonly walletId: string
  readonly amount: bigint
  readonly createdAt: Date
}

/** Waiting deposits of these investors that rest on no payment yet, the oldest first. */
const readOpenDeposits = (db: Context['db'], owners: readonly string[]): Promise<OpenDeposit[]> =>
  db
    .selectFrom('transactions')
    .select([
      'id',
      'user_id as ownerId',
      'wallet_id as walletId',
      'amount',
      'created_at as createdAt',
    ])
    .where('type', '=', 'deposit')
    .where('status', '=', 'PENDING')
    .where('evidence', 'is', null)
    .where('user_id', 'in', owners)
    .orderBy('created_at')
    .orderBy('id')
    .$narrowType<{ walletId: string }>()
    .execute()

/** The payments of a network that are worth at least `least` cents, or cannot be priced. */
export const readArrivals = async (
  { config, db }: Pick<Context, 'config' | 'db'>,
  network: string,
  least: Cents,
): Promise<MatchedPayment[]> => {
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
    payments.filter(({ restingId }) => restingId === null),
    deposits,
    worthFor,
  )
  return payments.map((payment) => {
    const deposit = pays.get(payment)
    const worth = worthFor(payment, deposit)
    return {
      payment,
      depositId: payment.restingId ?? deposit?.id,
      worth: worth === null ? null : cents(worth),
    }
  })
}
