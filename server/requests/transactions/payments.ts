/** The payments that a deposit may rest on, as the operator's nodes show them. */
import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { dateFromTimestamp } from '@pool/contract/base/timestamp'
import type { Quote } from '@pool/contract/chain/quotes'
import { type Rate, rateFrom } from '@pool/contract/chain/rates'
import { worthOf } from '@pool/contract/chain/worth'
import type { DepositPayment } from '@pool/contract/coins/payments'
import { sql } from 'kysely'
import type { Config } from '../../base/configuration/config.ts'
import {
  isOwnMove,
  type PaymentRow,
  paymentColumns,
  restsOn,
  wirePayment,
} from '../../chain/nodes/queries.ts'
import { ratesAt } from '../../chain/rates/ratesAt.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { readQuote } from './quotes.ts'

/** Most payments that are read for a deposit. */
const MOST = 20

type Deposit = {
  readonly id: string
  readonly status: string
  readonly networkName: string
  readonly createdAt: Date
}

/** True where the operator has a node of the deposit's network. */
const hasNode = ({ chains }: Config, { networkName }: Deposit): boolean =>
  chains.some(({ network }) => network === networkName)

/** A payment, the deposit that rests on it, and the quote that it was sent for. */
type FoundPayment = PaymentRow & {
  readonly restsOn: string | null
  readonly paid: Parameters<typeof worthOf>[0]
  readonly quoted: Parameters<typeof worthOf>[1]
}

/** The newest payments to the deposit's address, or those of one transaction. */
const findPayments = async (
  { config, db }: WithDb & WithConfig,
  deposit: Deposit,
  transaction?: string,
): Promise<FoundPayment[]> => {
  type DepositPaymentRow = PaymentRow & {
    readonly dollars: string | null
    readonly restsOn: string | null
  }
  const { rows } = await sql<DepositPaymentRow>`
    SELECT ${paymentColumns}, p.dollars::text, resting.id AS "restsOn"
    FROM transactions AS t JOIN wallets AS w ON w.id = t.wallet_id
      JOIN payments AS p ON p.network_name = w.network_name AND p.address = w.address
      LEFT JOIN chains AS c ON c.network_name = p.network_name
      LEFT JOIN LATERAL (
        SELECT id FROM transactions AS t WHERE ${restsOn} AND t.status IN ('PENDING', 'APPROVED', 'REVERSED')
        ORDER BY t.status = 'REVERSED' LIMIT 1) AS resting ON true
    WHERE t.id = ${deposit.id} AND NOT ${isOwnMove} AND ${transaction === undefined ? sql`true` : sql`p.transaction_id = ${transaction}`}
    ORDER BY p.seen_at DESC, p.id DESC LIMIT ${MOST}`.execute(db)
  const quote = await readQuote(
    { config, db },
    { depositId: deposit.id, networkName: deposit.networkName },
  )
  const found = await priced({ config, db }, rows)
  return found.map((row) => ({ ...row, quoted: servedBy(quote, row, deposit) }))
}

/** Adds what each payment counts by: its own rate, or the present one if none counted then. */
export const priced = async <Row extends PaymentRow & { readonly dollars: string | null }>(
  { config, db }: WithDb & WithConfig,
  rows: readonly Row[],
) => {
  const now = await ratesAt(
    db,
    config,
    rows.map(({ asset }) => ({ coin: asset, seconds: null })),
  )
  return rows.map(({ dollars, ...row }, at) => {
    const rate = dollars === null ? (now[at]?.rate?.rate ?? null) : rateFrom(dollars)
    return { ...row, paid: { units: BigInt(row.units), decimals: row.decimals, rate } }
  })
}

/** The quote, if it is of this coin and was in force when the payment was first seen. */
export const servedBy = (
  quote: Quote | undefined,
  { asset, seenAt }: PaymentRow,
  deposit: Pick<Deposit, 'createdAt'>,
) => {
  if (quote?.coin !== asset || seenAt < deposit.createdAt) return undefined
  if (seenAt > dateFromTimestamp(quote.endsAt)) return undefined
  return { units: BigInt(quote.units), rate: rateFrom(quote.dollars) as Rate }
}

/**
 * The newest payments to the deposit's address that no other deposit rests on; of a deposit that is
 * decided, those that it rests on. Undefined without a node of its network.
 */
export const readPayments = async (
  context: WithDb & WithConfig,
  deposit: Deposit,
): Promise<DepositPayment[] | undefined> => {
  if (!hasNode(context.config, deposit)) return undefined
  const found = await findPayments(context, deposit)
  return found
    .filter(
      ({ restsOn }) => (restsOn ?? (deposit.status === 'PENDING' && deposit.id)) === deposit.id,
    )
    .map((payment) => {
      const worth = worthOf(payment.paid, payment.quoted)
      const dollars = worth === null ? null : dollarsFromCents(worth)
      return { ...wirePayment(payment, context.config), dollars }
    })
}

/** The coins of a transaction in one output, or in all that the deposit's address got. */
type NamedPayment = { readonly id: string; readonly output?: number | undefined }

/**
 * Requires that a node shows the payment, confirmed and worth the amount, if there is one. Throws
 * `evidenceUnseen`, `evidenceUnconfirmed`, `evidenceUnpriced` and `evidenceCountsAs`.
 */
export const requireShown = async (
  context: WithDb & WithConfig,
  deposit: Deposit,
  { id, output }: NamedPayment,
  amount: Cents,
): Promise<void> => {
  if (!hasNode(context.config, deposit)) return
  const named = (await findPayments(context, deposit, id)).filter(
    (payment) => output === undefined || payment.output === output,
  )
  if (named.length === 0 && (await isOlder(context.db, deposit))) return
  const shown = named.filter((payment) => !isGone(payment))
  if (shown.length === 0) throw refusal('evidenceUnseen', { network: deposit.networkName })
  if (shown.some(({ state }) => state !== 'CONFIRMED')) throw refusal('evidenceUnconfirmed')
  let sum = 0n
  for (const [at, { paid, quoted, asset }] of shown.entries()) {
    // A quote serves one payment.
    const worth = worthOf(paid, at === 0 ? quoted : undefined)
    if (worth === null) throw refusal('evidenceUnpriced', { coin: asset })
    sum += worth
  }
  if (sum !== amount) throw refusal('evidenceCountsAs', { amount: dollarsFromCents(cents(sum)) })
}

/** True for a deposit from before the product read its network: its payment may be as old. */
const isOlder = async (db: WithDb['db'], { networkName, createdAt }: Deposit): Promise<boolean> => {
  const chain = await db
    .selectFrom('chains')
    .select('followed_since')
    .where('network_name', '=', networkName)
    .executeTakeFirst()
  return !chain?.followed_since || createdAt < chain.followed_since
}

const isGone = ({ state }: PaymentRow): boolean =>
  state === 'REPLACED' || state === 'DROPPED' || state === 'REVERSED'
