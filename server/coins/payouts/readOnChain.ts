/** Reads what a network shows of the coins that left, and the batches that may explain it. */
import { type NetworkName, networks } from '@pool/contract/base/networks'
import { type Kysely, sql } from 'kysely'
import { chainOf } from '../../base/chains/networks.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Batch, Live, Mark, OnChain, Payout } from './explain.ts'

type Db = Kysely<Schema>

export type SpendingRow = {
  readonly id: string
  readonly transaction: string
  readonly state: string
  readonly height: number | null
  readonly hash: string | null
  readonly seenAt: Date
  readonly isSettled: boolean
  readonly batchId: string | null
  readonly spent: readonly { address: string; input: string | null; units: string }[]
  readonly sent: readonly { output: number; address: string | null; asset: string; units: string }[]
}

export type PayoutRow = {
  readonly position: number
  readonly address: string
  readonly units: string
  readonly transaction: string | null
  readonly output: number | null
  readonly isFreed: boolean
  readonly order: {
    /** The withdrawal, or the reserved loan. */
    readonly id: string
    /** Of a withdrawal: its investor. */
    readonly ownerId: string | null
    readonly loanId: string | null
    readonly cents: string
    readonly status: string
    readonly markedAs: string | null
    readonly isCompletedByProduct: boolean
  } | null
}

export type BatchRow = {
  readonly id: string
  readonly state: Batch['state']
  readonly asset: string
  readonly decimals: number
  readonly payer: string | null
  readonly isAtOnce: boolean
  readonly madeAt: Date
  readonly isLate: boolean
  readonly inputs: readonly string[]
  readonly payouts: readonly PayoutRow[]
}

/** Days for which coins without a batch are looked at, and batches that are done. */
const [SPENDINGS, BATCHES] = ['30 days', '90 days'].map((each) => sql.lit(each))

const OPEN_ALARMS = sql`SELECT FROM payout_alarms AS a WHERE a.ended_at IS NULL AND a.settled_at IS NULL`

const SPENDING = sql`s.id, s.transaction_id AS transaction, s.state, s.height::int, s.block_hash AS hash, s.seen_at AS "seenAt",
  s.settled_at IS NOT NULL AS "isSettled", s.batch_id AS "batchId",
  coalesce((SELECT jsonb_agg(jsonb_build_object('address', address, 'input', input, 'units', units::text))
    FROM spent_coins WHERE spending_id = s.id), '[]') AS spent,
  coalesce((SELECT jsonb_agg(jsonb_build_object('output', output, 'address', address, 'asset', asset, 'units', units::text) ORDER BY output)
    FROM sent_coins WHERE spending_id = s.id), '[]') AS sent`

/** Spendings that are new, open or not explained, and those of open batches. */
const readSpendings = async (db: Db, network: NetworkName): Promise<SpendingRow[]> => {
  const { rows } = await sql<SpendingRow>`
    SELECT ${SPENDING} FROM spendings AS s WHERE s.network_name = ${network} AND (
      s.state = 'SEEN' OR s.changed_at > now() - interval '1 day'
      OR s.batch_id IS NULL AND s.settled_at IS NULL AND s.seen_at > now() - ${SPENDINGS}::interval
      OR s.batch_id IN (SELECT id FROM batches WHERE state IN ('WAITING', 'READY', 'SEEN'))
      OR EXISTS (${OPEN_ALARMS} AND a.spending_id = s.id))`.execute(db)
  return rows
}

const readBatches = async (
  db: Db,
  network: NetworkName,
  spendings: readonly SpendingRow[],
): Promise<BatchRow[]> => {
  const addresses = spendings.flatMap(({ sent }) => sent.flatMap(({ address }) => address ?? []))
  const inputs = spendings.flatMap(({ spent }) => spent.flatMap(({ input }) => input ?? []))
  const { rows } = await sql<BatchRow>`
    SELECT b.id, b.state, b.asset, b.decimals, b.payer, b.format = 'SAFE' AS "isAtOnce", b.made_at AS "madeAt",
      coalesce(b.approved_at, b.made_at) < now() - interval '1 day' AS "isLate",
      ARRAY(SELECT input FROM batch_inputs WHERE batch_id = b.id) AS inputs,
      (SELECT jsonb_agg(jsonb_build_object('position', p.position, 'address', p.address, 'units', p.units::text,
          'transaction', p.transaction_id, 'output', p.output, 'isFreed', NOT p.is_open AND b.state <> 'GIVEN_UP', 'order', CASE WHEN t.id IS NOT NULL THEN jsonb_build_object(
            'id', t.id, 'ownerId', t.user_id, 'loanId', NULL, 'cents', t.amount::text, 'status', t.status, 'markedAs', CASE WHEN t.sent_by IS NOT NULL THEN t.sent_evidence END,
            'isCompletedByProduct', t.completed_basis IS NOT NULL)
          WHEN l.id IS NOT NULL THEN jsonb_build_object('id', l.id, 'ownerId', NULL, 'loanId', l.loan_id, 'cents', l.principal::text,
            'status', CASE WHEN c.sending_id IS NOT NULL THEN 'COMPLETED' WHEN l.status = 'OPEN' THEN 'APPROVED' ELSE 'RETURNED' END,
            'markedAs', NULL, 'isCompletedByProduct', c.sending_id IS NOT NULL) END) ORDER BY p.position)
        FROM batch_payouts AS p LEFT JOIN transactions AS t ON t.id = p.withdrawal_id LEFT JOIN loan_sendings AS l ON l.id = p.sending_id
          LEFT JOIN loan_confirmations AS c ON c.sending_id = p.sending_id WHERE p.batch_id = b.id) AS payouts
    FROM batches AS b WHERE b.network_name = ${network} AND (
      b.state IN ('WAITING', 'READY', 'SEEN') OR EXISTS (${OPEN_ALARMS} AND a.batch_id = b.id)
      OR b.id = ANY (${spendings.flatMap(({ batchId }) => batchId ?? [])}::uuid[])
      OR b.id IN (SELECT batch_id FROM batch_inputs WHERE network_name = ${network} AND input = ANY (${inputs}::text[]))
      OR b.made_at > now() - ${BATCHES}::interval AND b.id IN (
        SELECT batch_id FROM batch_payouts WHERE lower(address) = ANY (${addresses.map((each) => each.toLowerCase())}::text[])))
    ORDER BY b.made_at, b.id`.execute(db)
  return rows.map(({ payouts, ...row }) => ({ ...row, payouts: payouts ?? [] }))
}

/** Spendings that pay these batches, whenever they were seen. */
const readOthers = async (
  db: Db,
  network: NetworkName,
  { known, batches }: { known: readonly SpendingRow[]; batches: readonly BatchRow[] },
): Promise<SpendingRow[]> => {
  const ids = batches.flatMap(({ payouts }) => payouts.flatMap((each) => each.transaction ?? []))
  const { rows } = await sql<SpendingRow>`
    SELECT ${SPENDING} FROM spendings AS s WHERE s.network_name = ${network}
      AND s.transaction_id = ANY (${ids}::text[]) AND s.id <> ALL (${known.map(({ id }) => id)}::uuid[])`.execute(
    db,
  )
  return rows
}

type MarkRow = Omit<Mark, 'receiver'> & { readonly address: string }

const readMarks = async (
  db: Db,
  network: NetworkName,
  transactions: readonly string[],
): Promise<MarkRow[]> => {
  const { rows } = await sql<MarkRow>`
    SELECT t.id AS "withdrawalId", s.transaction_id AS transaction, c.output, c.address
    FROM spendings AS s JOIN transactions AS t ON t.sent_network = s.network_name AND t.sent_evidence = s.transaction_id AND t.sent_by IS NOT NULL
      JOIN sent_coins AS c ON c.spending_id = s.id AND lower(c.address) = lower(t.payee_address) AND c.output = coalesce(t.sent_output, c.output)
    WHERE s.network_name = ${network} AND s.transaction_id = ANY (${transactions}::text[]) AND mark_explains(s.id, c.output)`.execute(
    db,
  )
  return rows
}

/** Those of the addresses that are ours, of investors' wallets or our own. */
const readOurs = async (
  db: Db,
  network: NetworkName,
  addresses: readonly string[],
): Promise<string[]> => {
  const family = networks.find(({ name }) => name === network)?.family
  const names = networks.filter((each) => each.family === family).map(({ name }) => name)
  const { rows } = await sql<{ address: string }>`
    SELECT address FROM wallets WHERE network_name = ANY (${names}) AND lower(address) = ANY (${addresses}::text[])
    UNION ALL SELECT address FROM own_addresses WHERE network_name = ANY (${names}) AND lower(address) = ANY (${addresses}::text[])`.execute(
    db,
  )
  return rows.map(({ address }) => address)
}

/** The rows of what a network shows, and the same in terms of {@link OnChain}. */
export type OnChainRows = {
  readonly onChain: OnChain
  readonly spendings: readonly SpendingRow[]
  readonly batches: readonly BatchRow[]
  readonly rowOf: ReadonlyMap<Live, SpendingRow>
  readonly payoutOf: ReadonlyMap<Payout, { readonly batch: BatchRow; readonly row: PayoutRow }>
}

export const readOnChain = async (db: Db, network: NetworkName): Promise<OnChainRows> => {
  const found = await readSpendings(db, network)
  const batches = await readBatches(db, network, found)
  const spendings = [...found, ...(await readOthers(db, network, { known: found, batches }))]
  const marks = await readMarks(
    db,
    network,
    spendings.map(({ transaction }) => transaction),
  )
  const sentTo = spendings.flatMap(({ sent }) => sent.flatMap(({ address }) => address ?? []))
  const ours = await readOurs(
    db,
    network,
    sentTo.map((each) => each.toLowerCase()),
  )

  const chain = chainOf(network)
  const receiverOf = (address: string): string => {
    try {
      return chain.receiver(address)
    } catch {
      // An address of a later form, which no payout has.
      return address
    }
  }
  const receivers = new Set(ours.map(receiverOf))
  const rowOf = new Map(
    spendings
      .filter(({ state }) => state === 'SEEN' || state === 'CONFIRMED')
      .map((row) => [asLive(row, receiverOf), row]),
  )
  const payoutOf: Map<Payout, { batch: BatchRow; row: PayoutRow }> = new Map()
  const asBatch = (batch: BatchRow): Batch => ({
    ...batch,
    payer: batch.payer === null ? null : receiverOf(batch.payer),
    inputs: new Set(batch.inputs),
    payouts: batch.payouts.map((row) => {
      const payout = { ...row, receiver: receiverOf(row.address), units: BigInt(row.units) }
      payoutOf.set(payout, { batch, row })
      return payout
    }),
  })
  const onChain = {
    spendings: [...rowOf.keys()],
    batches: batches.map(asBatch),
    marks: marks.map(({ address, ...mark }) => ({ ...mark, receiver: receiverOf(address) })),
    isOurs: (receiver: string) => receivers.has(receiver),
  }
  return { onChain, spendings, batches, rowOf, payoutOf }
}

const asLive = (
  { id, transaction, state, seenAt, isSettled, spent, sent }: SpendingRow,
  receiverOf: (address: string) => string,
): Live => ({
  id,
  transaction,
  seenAt,
  isSettled,
  isConfirmed: state === 'CONFIRMED',
  inputs: spent.flatMap(({ input }) => input ?? []),
  payers: new Set(spent.map(({ address }) => receiverOf(address))),
  sent: sent.map(({ address, units, ...each }) => ({
    ...each,
    receiver: address === null ? null : receiverOf(address),
    units: BigInt(units),
  })),
})
