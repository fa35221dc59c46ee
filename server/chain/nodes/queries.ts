import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { Chain, ChainState } from '@pool/contract/chain/chains'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { PAYMENTS_SIZE, type Payment, type PaymentState } from '@pool/contract/coins/payments'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { COIN } from './node.ts'
import { listSkips } from './skips.ts'
import { isStopped } from './stopped.ts'

type Looked = Pick<Selectable<Schema['chains']>, 'state' | 'words' | 'since' | 'checked_at'> & {
  readonly is_stopped: boolean
}

const stateOf = (row: Looked | undefined): Pick<Chain, 'state' | 'words' | 'since'> => {
  if (!row) return { state: 'UNCHECKED', words: '', since: null }
  if (row.is_stopped)
    return { state: 'STOPPED', words: '', since: timestampFromDate(row.checked_at) }
  return {
    state: row.state as ChainState,
    words: row.words,
    since: timestampFromDate(row.since),
  }
}

/** The networks with a node, in the order of `CHAINS`. */
export const listChains = async ({
  config: { chains },
  db,
}: WithDb & WithConfig): Promise<Chain[]> => {
  if (chains.length === 0) return []
  const rows = await db
    .selectFrom('chains as c')
    .selectAll()
    .select(isStopped.as('is_stopped'))
    .execute()
  const skips = await listSkips(db)
  return chains.map(({ network }) => {
    const row = rows.find(({ network_name }) => network_name === network)
    return {
      network,
      ...stateOf(row),
      checkedAt: row ? timestampFromDate(row.checked_at) : null,
      height: row?.height == null ? null : Number(row.height),
      finalHeight: row?.final_height == null ? null : Number(row.final_height),
      heightSince: row?.height_since ? timestampFromDate(row.height_since) : null,
      balancesAt: row?.balances_at ? timestampFromDate(row.balances_at) : null,
      unreadHeight: row?.unread_height == null || row.is_stopped ? null : Number(row.unread_height),
      skips: skips.flatMap((each) => (each.network === network ? each.skip : [])),
    }
  })
}

/** A payment as {@link paymentColumns} read it. */
export type PaymentRow = {
  readonly id: string
  readonly network: string
  readonly transaction: string
  readonly output: number
  readonly asset: string
  readonly units: string
  readonly decimals: number
  readonly state: PaymentState
  readonly depth: number | null
  readonly seenAt: Date
  /** In dollars, at its own rate. Null without one. */
  readonly worth: number | null
}

/** Of `payments AS p` and its row of `chains AS c`, if any. */
export const paymentColumns = sql`p.id, p.network_name AS network, p.transaction_id AS transaction,
  p.output, p.asset, p.units::text, p.decimals, p.state, (c.height - p.height + 1)::int AS depth, p.seen_at AS "seenAt",
  (p.units * p.dollars / 10::numeric ^ p.decimals)::float8 AS worth`

/**
 * True if the evidence of `transactions AS t` is the payment `payments AS p`, which paid
 * `wallets AS w`. Callers choose the statuses.
 */
export const restsOn = sql<boolean>`(t.evidence IS NOT NULL AND t.evidence_network = p.network_name AND t.evidence = p.transaction_id
  AND (t.evidence_output = p.output OR t.evidence_output IS NULL AND t.wallet_id = w.id))`

/**
 * True if `payments AS p` moves coins between addresses of ours, such as gas for collecting, and
 * pays no withdrawal. It is no deposit.
 */
export const isOwnMove = sql<boolean>`(EXISTS (SELECT FROM spendings AS s JOIN spent_coins AS spent ON spent.spending_id = s.id
    WHERE s.network_name = p.network_name AND s.transaction_id = p.transaction_id AND spent.asset = p.asset)
  AND NOT EXISTS (SELECT FROM batch_payouts AS paid JOIN batches AS b ON b.id = paid.batch_id
    WHERE paid.transaction_id = p.transaction_id AND paid.output = p.output AND paid.withdrawal_id IS NOT NULL AND b.network_name = p.network_name))`

/** The evidence of a payment: its transaction, and its output, log or inner transfer. */
export const evidenceOf = ({ transaction, output }: Pick<PaymentRow, 'transaction' | 'output'>) =>
  output === COIN ? transaction : `${transaction}:${output}`

/** The blocks that confirm a payment. Null where the network's final block does. */
const neededBy = (settings: ChainSettings, { worth }: PaymentRow): number | null => {
  if (settings.kind === 'solana') return null
  const { smallUpTo, smallConfirmations } = settings
  if (smallConfirmations !== undefined && worth !== null && worth <= smallUpTo)
    return smallConfirmations
  return settings.kind === 'bitcoin' ? settings.confirmations : null
}

/** The parts of a payment that everybody may read, as the wire has them. */
export const wirePayment = (row: PaymentRow, { chains }: Pick<Config, 'chains'>) => {
  const { id, network, asset, units, decimals, state, depth, seenAt } = row
  const settings = chains.find((each) => each.network === network)
  return {
    id,
    evidence: evidenceOf(row),
    asset,
    amount: textOfUnits(BigInt(units), decimals),
    state,
    depth: depth === null ? null : Math.max(depth, 1),
    needed: settings ? neededBy(settings, row) : null,
    seenAt: timestampFromDate(seenAt),
  }
}

/** The newest payments. */
export const listPayments = async ({ config, db }: WithDb & WithConfig): Promise<Payment[]> => {
  if (config.chains.length === 0) return []
  type NodePaymentRow = PaymentRow & Pick<Payment, 'address' | 'userId' | 'isOwn' | 'depositId'>
  const { rows } = await sql<NodePaymentRow>`
    SELECT ${paymentColumns}, p.address,
      EXISTS (SELECT FROM own_addresses AS o WHERE o.address = p.address) AS "isOwn",
      (SELECT owner_id FROM wallets AS w WHERE lower(w.address) = lower(p.address) AND w.address = p.address AND owner_id IS NOT NULL LIMIT 1) AS "userId",
      coalesce(p.deposit_id, (SELECT t.id FROM wallets AS w, transactions AS t
        WHERE w.network_name = p.network_name AND lower(w.address) = lower(p.address) AND w.address = p.address
          AND ${restsOn} AND t.status IN ('PENDING', 'APPROVED', 'REVERSED') ORDER BY t.status = 'REVERSED' LIMIT 1)) AS "depositId"
    FROM payments AS p LEFT JOIN chains AS c USING (network_name)
    ORDER BY seen_at DESC, p.id DESC LIMIT ${PAYMENTS_SIZE}`.execute(db)
  return rows.map((row) => ({
    ...wirePayment(row, config),
    network: row.network,
    address: row.address,
    userId: row.userId,
    isOwn: row.isOwn,
    depositId: row.depositId,
  }))
}

export type ChainAge = {
  readonly network: string
  readonly state: string
  /** Seconds in this state. */
  readonly seconds: number
  /** Seconds since the last look. */
  readonly checked: number
}

/** The age of each state, for metrics. */
export const readChainAges = async (
  db: Kysely<Schema>,
  { chains }: Pick<Config, 'chains'>,
): Promise<readonly ChainAge[]> => {
  const { rows } = await sql<ChainAge>`
    SELECT network_name AS network, CASE WHEN ${isStopped} THEN 'STOPPED' ELSE state END AS state,
      extract(epoch FROM now() - CASE WHEN ${isStopped} THEN checked_at ELSE since END)::float8 AS seconds,
      extract(epoch FROM now() - checked_at)::float8 AS checked
    FROM chains AS c WHERE network_name = ANY (${chains.map(({ network }) => network)})`.execute(db)
  return rows
}
