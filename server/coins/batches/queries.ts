import { cents, dollarsFromCents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import { type Timestamp, timestampFromDate } from '@pool/contract/base/timestamp'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { type RateSource, textOfRate } from '@pool/contract/chain/rates'
import {
  BATCHES_SIZE,
  type Batch,
  type BatchAddress,
  type BatchFile,
  type BatchPlan,
  type ListedBatch,
} from '@pool/contract/coins/batches'
import { type Kysely, sql } from 'kysely'
import { bitcoin } from '../../base/chains/bitcoin.ts'
import { ethereum } from '../../base/chains/ethereum.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { coins } from '../../chain/nodes/coins.ts'
import { evidenceOf } from '../../chain/nodes/queries.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { requirePayable } from './candidates.ts'
import { needsSecondPerson, worthOf } from './makeBatch.ts'
import { countPassedOver } from './passedOver.ts'
import { type Gas, type Plan, textOfFeeRate } from './plan.ts'
import { type AskedBatch, type Planning, planBatch } from './planBatch.ts'

/** Wei have nine decimals in gwei. */
const GWEI_DECIMALS = 9

/** The batch that would be made now. Throws `batchImpossible`. */
export const previewBatch = async (
  context: Planning,
  asked: AskedBatch,
  by: string,
): Promise<BatchPlan> => {
  const plan = await planBatch(context, asked, by)
  const worth = worthOf(plan)
  return {
    ...planOnTheWire(plan),
    dollars: dollarsFromCents(worth),
    needsSecond: await needsSecondPerson(context.db, worth, by),
    passedOver: await countPassedOver(context.db, context.config, { plan, by }),
    leftOut: [...plan.leftOut],
    unusable: plan.unusable,
  }
}

const planOnTheWire = (plan: Plan) => {
  const { kind, format, network, coin, decimals, rate, change } = plan
  const total = plan.payouts.reduce((sum, { units }) => sum + units, 0n)
  return {
    kind,
    format,
    network,
    coin,
    signer: plan.signer,
    payer: plan.payer,
    rate: textOfRate(rate.rate),
    rateSource: rate.source,
    rateAt: timestampFromDate(rate.at),
    feeRate: plan.feeRate === null ? null : Number(textOfFeeRate(plan.feeRate)),
    ...feeOnTheWire({ ...plan, cents: plan.fee }),
    change: change && textOfUnits(change.units, decimals),
    changeAddress: change?.address ?? null,
    inputs: plan.inputs.length,
    nonce: plan.nonce,
    safeHash: plan.safeHash,
    total: textOfUnits(total, decimals),
    payouts: plan.payouts.map(({ withdrawalId, loanId, address, units, amount }) => ({
      withdrawalId,
      loanId,
      address,
      amount: textOfUnits(units, decimals),
      dollars: amount === null ? null : dollarsFromCents(amount),
    })),
  }
}

type Fee = {
  readonly network: string
  readonly feeUnits: bigint | null
  readonly gas: Gas | null
  readonly cents: bigint | null
}

/** The network's fee: as the file has it, or gas at the price of the moment. */
const feeOnTheWire = ({ network, feeUnits, gas, cents: worth }: Fee) => {
  const units = gas ? gas.used * gas.price : feeUnits
  const { decimals } = gas ? ethereum : bitcoin
  return {
    fee: units === null ? null : textOfUnits(units, decimals),
    feeCoin: units === null ? null : coins[network as NetworkName],
    feeDollars: worth === null ? null : dollarsFromCents(cents(worth)),
    gas: gas && Number(gas.used),
    gasPrice: gas && textOfUnits(gas.price, GWEI_DECIMALS),
  }
}

/** The addresses that two people named, but for those of change. */
export const listAddresses = async (db: Kysely<Schema>): Promise<BatchAddress[]> => {
  const { rows } = await sql<BatchAddress>`
    SELECT network_name AS network, address, class AS kind FROM own_addresses
    WHERE class <> 'CHANGE' ORDER BY network_name, created_at, id`.execute(db)
  return rows
}

type ListRow = Omit<ListedBatch, 'total' | 'madeAt'> & {
  readonly units: string
  readonly decimals: number
  readonly madeAt: Date
}

/** The newest batches. */
export const listBatches = async (db: Kysely<Schema>): Promise<ListedBatch[]> => {
  const { rows } = await sql<ListRow>`
    SELECT b.id, b.kind, b.format, b.state, b.network_name AS network, b.asset AS coin, b.decimals,
      p.units::text, p.payouts, b.made_at AS "madeAt", u.username AS "madeBy"
    FROM batches AS b LEFT JOIN users AS u ON u.id = b.made_by AND u.closed_at IS NULL,
      LATERAL (SELECT sum(units) AS units, count(*)::int AS payouts FROM batch_payouts WHERE batch_id = b.id) AS p
    ORDER BY b.made_at DESC, b.id DESC LIMIT ${BATCHES_SIZE}`.execute(db)
  return rows.map(({ units, decimals, madeAt, ...row }) => ({
    ...row,
    total: textOfUnits(BigInt(units), decimals),
    madeAt: timestampFromDate(madeAt),
  }))
}

type BatchPeople = {
  readonly madeBy: string | null
  readonly approvedBy: string | null
  readonly givenUpBy: string | null
  readonly sentAt: Date | null
  readonly sentBy: string | null
  readonly signer: string | null
  readonly inputs: number
  readonly isDead: boolean
}

type PayoutRow = {
  readonly withdrawalId: string | null
  readonly loanId: string | null
  readonly address: string
  readonly units: string
  readonly amount: bigint | null
  readonly userEmail: string | null
  readonly borrower: string | null
  readonly status: string | null
  readonly transaction: string | null
  readonly output: number | null
}

const gasOf = (used: bigint | null, price: string | null): Gas | null =>
  used === null || price === null ? null : { used, price: BigInt(price) }

const momentOf = (date: Date | null): Timestamp | null => date && timestampFromDate(date)

/** One batch with its payouts. Throws `batchNotFound`. */
export const readBatch = async (db: Kysely<Schema>, id: string): Promise<Batch> => {
  const batch = await db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst()
  if (!batch) throw refusal('batchNotFound')
  const { rows } = await sql<BatchPeople>`
    SELECT (SELECT username FROM users WHERE id = b.made_by AND closed_at IS NULL) AS "madeBy",
      (SELECT username FROM users WHERE id = b.approved_by AND closed_at IS NULL) AS "approvedBy",
      (SELECT username FROM users WHERE id = b.given_up_by AND closed_at IS NULL) AS "givenUpBy",
      sent.at AS "sentAt", sent.by AS "sentBy",
      (SELECT k.fingerprint FROM batch_inputs AS i JOIN wallets AS w ON lower(w.address) = lower(i.address) AND w.address = i.address
        JOIN address_keys AS k ON k.id = w.key_id WHERE i.batch_id = b.id AND b.format = 'PSBT' LIMIT 1) AS signer,
      (SELECT count(*)::int FROM batch_inputs WHERE batch_id = b.id) AS inputs,
      EXISTS (SELECT FROM batch_inputs AS i JOIN spent_coins AS c ON c.input = i.input JOIN spendings AS s ON s.id = c.spending_id
        WHERE i.batch_id = b.id AND s.network_name = b.network_name AND s.state = 'CONFIRMED'
          AND (s.batch_id <> b.id OR s.settled_at IS NOT NULL)) AS "isDead"
    FROM batches AS b LEFT JOIN LATERAL (
      SELECT e.created_at AS at, u.username AS by FROM audit_entries AS e LEFT JOIN users AS u ON u.id = e.actor_id AND u.closed_at IS NULL
      WHERE e.action = 'batch.sent' AND e.subject_type = 'batch' AND e.subject_id = b.id::text ORDER BY e.created_at DESC LIMIT 1) AS sent ON true
    WHERE b.id = ${id}`.execute(db)
  const [named] = rows
  if (!named) throw refusal('batchNotFound')
  const { isDead, sentAt, ...names } = named
  const { rows: payouts } = await sql<PayoutRow>`
    SELECT p.withdrawal_id AS "withdrawalId", l.id AS "loanId", p.address, p.units::text, coalesce(t.amount, s.principal) AS amount,
      u.username AS "userEmail", b.name AS borrower, coalesce(t.status, l.status) AS status, p.transaction_id AS transaction, p.output
    FROM batch_payouts AS p LEFT JOIN transactions AS t ON t.id = p.withdrawal_id
    LEFT JOIN loan_sendings AS s ON s.id = p.sending_id LEFT JOIN loans AS l ON l.id = s.loan_id LEFT JOIN borrowers AS b ON b.id = l.borrower_id
    LEFT JOIN users AS u ON u.id = t.user_id AND u.closed_at IS NULL
    WHERE p.batch_id = ${id} ORDER BY p.position`.execute(db)
  const { decimals } = batch
  const inCoins = (units: string | null) =>
    units === null ? null : textOfUnits(BigInt(units), decimals)
  const total = payouts.reduce((sum, { units }) => sum + BigInt(units), 0n)
  return {
    id,
    ...names,
    kind: batch.kind,
    format: batch.format,
    state: batch.state,
    network: batch.network_name,
    coin: batch.asset,
    payer: batch.payer,
    digest: batch.digest,
    rate: trimmed(batch.dollars),
    rateSource: batch.rate_source as RateSource | null,
    rateAt: timestampFromDate(batch.rate_at),
    feeRate: batch.fee_rate === null ? null : Number(batch.fee_rate),
    ...feeOnTheWire({
      network: batch.network_name,
      feeUnits: batch.fee_units === null ? null : BigInt(batch.fee_units),
      gas: gasOf(batch.gas, batch.gas_price),
      cents: batch.fee_cents,
    }),
    change: inCoins(batch.change_units),
    changeAddress: batch.change_address,
    nonce: batch.nonce === null ? null : Number(batch.nonce),
    safeHash: batch.safe_hash,
    total: textOfUnits(total, decimals),
    madeAt: timestampFromDate(batch.made_at),
    madeById: batch.made_by,
    approvedAt: momentOf(batch.approved_at),
    completedAt: momentOf(batch.completed_at),
    givenUpAt: momentOf(batch.given_up_at),
    sentAt: momentOf(sentAt),
    reason: batch.reason,
    isAlive: batch.state === 'GIVEN_UP' && !isDead,
    payouts: payouts.map(({ units, amount, transaction, output, ...payout }) => ({
      ...payout,
      amount: textOfUnits(BigInt(units), decimals),
      dollars: amount === null ? null : dollarsFromCents(cents(amount)),
      evidence: transaction === null ? null : evidenceOf({ transaction, output: output ?? 0 }),
    })),
  }
}

/** Decimal text with at least two decimals, without other zeros at its end. */
const trimmed = (text: string): string => {
  const [whole = '0', decimals = ''] = text.split('.')
  return `${whole}.${decimals.replace(/0+$/, '').padEnd(2, '0')}`
}

const ENDINGS = { PSBT: 'psbt', SAFE: 'json', CSV: 'csv' } as const

/** Throws `ownLoan` for a batch with a loan to this person, by any account. */
export const requireNotLentTo = async (
  db: Kysely<Schema>,
  id: string,
  by: Caller,
): Promise<void> => {
  const { rows } = await sql`
    SELECT FROM payees_of(${id}) WHERE first_due_on IS NOT NULL AND user_id = ANY ((SELECT accounts_of(${by.id}))::uuid[])`.execute(
    db,
  )
  if (rows.length > 0) throw refusal('ownLoan')
}

/**
 * The file of a batch, whose reading is recorded. Throws `batchNotFound`, `batchClosed` unless it
 * is ready or on its way, and while nothing of it is seen `ownLoan`, and as {@link requirePayable}.
 */
export const takeFile = (
  { db, keys }: OnRecord,
  { id, by }: { readonly id: string; readonly by: Caller },
): Promise<BatchFile> =>
  db.transaction().execute(async (transaction) => {
    const batch = await transaction
      .selectFrom('batches')
      .select(['state', 'format', 'file', 'digest', 'network_name'])
      .where('id', '=', id)
      // It is not given up while it is handed out.
      .forShare()
      .executeTakeFirst()
    if (!batch) throw refusal('batchNotFound')
    const { state, format, file, digest } = batch
    // A CSV that is on its way pays a second time what it paid.
    const isPaid = state === 'COMPLETED' || (state === 'SEEN' && format === 'CSV')
    if (state === 'WAITING' || state === 'GIVEN_UP' || isPaid)
      throw refusal('batchClosed', { state })
    if (state === 'READY') {
      await requireNotLentTo(transaction, id, by)
      await requirePayable(transaction, id)
    }
    await record(transaction, keys, {
      by,
      action: 'batch.fileTaken',
      subject: { type: 'batch', id },
      after: { networkName: batch.network_name, digest },
    })
    // A file says for which network it is, as a CSV cannot.
    const network = batch.network_name.toLowerCase().replaceAll(' ', '-')
    return { format, name: `${network}-batch-${id}.${ENDINGS[format]}`, text: file, digest }
  })
