/** Payments that a node confirmed, each with the deposit that it pays. */
import { type Cents, cents } from '@pool/contract/base/money'
import { textOfRate } from '@pool/contract/chain/rates'
import { worthOf } from '@pool/contract/chain/worth'
import { type RawBuilder, sql } from 'kysely'
import { isOwnMove, type PaymentRow, paymentColumns, restsOn } from '../../chain/nodes/queries.ts'
import { isFine } from '../../chain/nodes/stopped.ts'
import { ratesAt } from '../../chain/rates/ratesAt.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { matchPayments } from './matchPayments.ts'
import { priced, servedBy } from './payments.ts'
import { readQuote } from './quotes.ts'

/** Wallets whose payments are read at once, and payments of each. */
const [WALLETS, OF_WALLET] = [100, 1_000]

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

/**
 * Payments of others to open accounts, and worth at least `least` cents if a rate counts: their
 * own, or else one of `present`, by coin in JSON.
 */
const waitingFor = (network: string, least: Cents, present = '{}'): RawBuilder<unknown> => sql`
  payments AS p CROSS JOIN LATERAL (
    SELECT coalesce(p.dollars, (${present}::jsonb ->> p.asset)::numeric) * p.units * 100 / 10::numeric ^ p.decimals AS cents) AS worth
    JOIN wallets AS w ON w.network_name = p.network_name AND lower(w.address) = lower(p.address)
    JOIN users AS u ON u.id = w.owner_id AND u.closed_at IS NULL
    LEFT JOIN LATERAL (${RESTING}) AS resting ON true
  WHERE p.network_name = ${network} AND p.state = 'CONFIRMED' AND p.deposit_id IS NULL AND NOT ${isOwnMove}
    AND (worth.cents IS NULL OR worth.cents >= ${least}::bigint)`

/** The facts of `payments AS p` that a deposit was credited for. */
export const settledAs = sql<string>`concat_ws(' ', p.asset, p.units, lower(p.address))`

/**
 * Notes the decided deposits of payments, which are not read again, and forgets those that were
 * taken back: coins that return are credited anew.
 */
export const settlePayments = async (
  db: WithDb['db'],
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

/** The coins of unsettled payments without a rate of their own, each with the present one. */
const readPresent = async (
  { config, db }: WithDb & WithConfig,
  network: string,
): Promise<string> => {
  const { rows } = await sql<{ coin: string }>`
    SELECT DISTINCT asset AS coin FROM payments
    WHERE network_name = ${network} AND state = 'CONFIRMED' AND deposit_id IS NULL AND dollars IS NULL`.execute(
    db,
  )
  const rates = await ratesAt(
    db,
    config,
    rows.map(({ coin }) => ({ coin, seconds: null })),
  )
  const known = rows.flatMap(({ coin }, at) => {
    const rate = rates[at]?.rate?.rate
    return rate === undefined ? [] : [[coin, textOfRate(rate)]]
  })
  return JSON.stringify(Object.fromEntries(known))
}

type Sought = { readonly network: string; readonly least: Cents; readonly minimum: Cents }
type Worthy = Unsettled & { readonly dollars: string | null }

/**
 * The unsettled payments of the next wallets, by wallet. Ones that a person decides about, and ones
 * below the minimum, come last. None unless the node is fine.
 */
const readUnsettled = async (
  db: WithDb['db'],
  { network, least, minimum }: Sought,
  { present, after }: { readonly present: string; readonly after: string | null },
): Promise<Worthy[]> => {
  const { rows } = await sql<Worthy>`
    WITH waiting AS (
      SELECT p.*, w.id AS "walletId", w.owner_id AS "ownerId", resting.id AS "restingId", resting.unannounced,
        row_number() OVER (PARTITION BY w.id ORDER BY worth.cents IS NULL, resting.id IS NOT NULL, worth.cents < ${minimum}::bigint, p.seen_at, p.id) AS turn,
        dense_rank() OVER (ORDER BY w.id) AS place
      FROM ${waitingFor(network, least, present)} AND (${after}::uuid IS NULL OR w.id > ${after}::uuid)
    )
    SELECT ${paymentColumns}, p.address, p.height::int, p.block_hash AS hash, p.dollars::text,
      p."walletId", p."ownerId", p."restingId", p.unannounced,
      EXISTS (SELECT FROM transactions AS t WHERE t.user_id = p."ownerId" AND t.wallet_id = p."walletId" AND t.type = 'deposit'
        AND t.status = 'REJECTED' AND (t.ending = 'decided' OR t.evidence IS NOT NULL) AND t.updated_at >= p.seen_at)
      OR EXISTS (SELECT FROM transactions AS t WHERE t.evidence IS NOT NULL AND t.status IN ('PENDING', 'APPROVED')
        AND t.evidence_network = p.network_name AND t.evidence = p.transaction_id AND t.wallet_id = p."walletId"
        AND NOT EXISTS (SELECT FROM payments AS named WHERE named.network_name = p.network_name
          AND named.transaction_id = p.transaction_id AND named.output = coalesce(t.evidence_output, p.output))) AS "isDoubted"
    FROM waiting AS p JOIN chains AS c ON c.network_name = p.network_name AND ${isFine}
    WHERE p.place <= ${WALLETS} AND p.turn <= ${OF_WALLET}
    ORDER BY p."walletId", p.turn`.execute(db)
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
const readOpenDeposits = (db: WithDb['db'], owners: readonly string[]): Promise<OpenDeposit[]> =>
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

/**
 * The payments of a network that are worth at least `least` cents, or cannot be priced: those of
 * some wallets at a time, up to the last wallet. Ones below the minimum are a wallet's last.
 */
export const arrivals = async function* (
  { config, db }: WithDb & WithConfig,
  sought: Sought,
): AsyncGenerator<readonly MatchedPayment[], void> {
  const present = await readPresent({ config, db }, sought.network)
  for (let after: string | null = null; ; ) {
    const found: Worthy[] = await readUnsettled(db, sought, { present, after })
    const last = found.at(-1)
    if (!last) return
    yield await matched({ config, db }, sought.network, found)
    after = last.walletId
  }
}

/** Payments of whole wallets, each with its deposit and its worth. */
const matched = async (
  { config, db }: WithDb & WithConfig,
  network: string,
  found: readonly Worthy[],
): Promise<MatchedPayment[]> => {
  const payments = await priced({ config, db }, found)
  const deposits = await readOpenDeposits(db, [...new Set(found.map(({ ownerId }) => ownerId))])
  const quotes = new Map<string, Awaited<ReturnType<typeof readQuote>>>()
  for (const { id } of deposits)
    quotes.set(id, await readQuote({ config, db }, { depositId: id, networkName: network }))
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
