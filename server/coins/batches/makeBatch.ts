import { createHash } from 'node:crypto'
import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { textOfRate } from '@pool/contract/chain/rates'
import { orderOnRecord } from '@pool/contract/coins/withdrawalOrder'
import { type Kysely, sql } from 'kysely'
import { violatedConstraint } from '../../base/db/errors.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import { shareLock, takeLock } from '../../base/locks.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import type { WithConfig } from '../../http/context.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { readCandidates } from './candidates.ts'
import { countPassedOver } from './passedOver.ts'
import { centsOf, orderOf, type Plan, textOfFeeRate } from './plan.ts'
import { type AskedBatch, planBatch } from './planBatch.ts'

type Making = OnRecord & WithConfig

/** Plans that another batch may overtake before it is refused. */
const ATTEMPTS = 5

/** Another batch took coins, a number of change or of a Safe first. The next plan takes others. */
const OVERTAKEN = /^(batch_inputs_locked_once|own_addresses_\w+|batches_use_a_nonce_once)$/

/** SHA-256 of a file, in hex. */
const digestOf = (file: string): string => createHash('sha256').update(file).digest('hex')

/**
 * Makes a batch, READY or WAITING for a second person. Throws `batchImpossible`, `batchLeavesOut`
 * unless it pays all that were asked for, and `inBatch` or `loanInBatch` where another was first.
 */
export const makeBatch = async (
  context: Making,
  { asked, by }: { readonly asked: AskedBatch; readonly by: Caller },
) => {
  for (let attempt = 1; ; attempt += 1) {
    const plan = await planBatch(context, asked, by.id)
    if (plan.leftOut.length > 0) throw refusal('batchLeavesOut', { count: plan.leftOut.length })
    try {
      return await context.db
        .transaction()
        .execute((transaction) =>
          write(transaction, context, { plan, by, why: asked.outOfOrderReason }),
        )
    } catch (error) {
      const constraint = violatedConstraint(error) ?? ''
      if (constraint === 'batch_payouts_pay_once') throw refusal('inBatch')
      if (constraint === 'batch_payouts_pay_loans_once') throw refusal('loanInBatch')
      if (!OVERTAKEN.test(constraint)) throw error
      if (attempt === ATTEMPTS) throw refusal('batchImpossible', { problem: 'coinsChanged' })
    }
  }
}

/** The dollars that a plan pays: what its withdrawals and loans are worth, or its coins. */
export const worthOf = ({ payouts, rate, decimals }: Plan): Cents =>
  cents(
    payouts.reduce(
      (sum, { amount, units }) => sum + (amount ?? centsOf(units, rate, decimals)),
      0n,
    ),
  )

/**
 * True where this batch and those that the same person made alone in 24 hours exceed the limit of
 * one person (docs/decisions/053). One that was given up counts once its file was taken.
 */
export const needsSecondPerson = async (
  db: Kysely<Schema>,
  worth: Cents,
  maker: string,
): Promise<boolean> => {
  const { rows } = await sql<{ exceeds: boolean }>`
    SELECT ${worth}::bigint + coalesce((
        SELECT ceil(sum(p.units * b.dollars * 100 / 10::numeric ^ b.decimals))
        FROM batches AS b JOIN batch_payouts AS p ON p.batch_id = b.id
        WHERE b.made_at > now() - interval '24 hours' AND b.approved_by IS NULL
          AND (b.state <> 'GIVEN_UP' OR EXISTS (SELECT FROM audit_entries AS e
            WHERE e.subject_type = 'batch' AND e.subject_id = b.id::text AND e.action = 'batch.fileTaken'))
          AND (b.made_by = ${maker} OR is_same_person(b.made_by, ${maker}))), 0)
      > (SELECT per_person FROM approval_limits) AS exceeds`.execute(db)
  return rows[0]?.exceeds !== false
}

type Writing = { readonly plan: Plan; readonly by: Caller }

const write = async (
  transaction: Kysely<Schema>,
  { config, keys }: Making,
  { plan, by, why }: Writing & { readonly why: string | undefined },
) => {
  const id = newId()
  // Comes before row locks, as in markSent. Approving a return takes this lock exclusively.
  await shareLock(transaction, 'groups')
  await takeLock(transaction, 'batches')
  await requireStillPayable(transaction, { config, plan, by })
  const worth = worthOf(plan)
  const waits = await needsSecondPerson(transaction, worth, by.id)
  const state = waits ? ('WAITING' as const) : ('READY' as const)
  const digest = digestOf(plan.file)
  const passedOver = await countPassedOver(transaction, config, { plan, by: by.id })
  await insert(transaction, { id, plan, by, digest, state })
  const total = plan.payouts.reduce((sum, { units }) => sum + units, 0n)
  const order = orderOnRecord(passedOver, why)
  await record(transaction, keys, {
    by,
    action: 'batch.made',
    subject: { type: 'batch', id },
    after: {
      state,
      networkName: plan.network,
      coins: `${textOfUnits(total, plan.decimals)} ${plan.coin}`,
      amount: dollarsFromCents(worth),
      payouts: plan.payouts.length,
      digest,
      ...order.after,
    },
    ...(order.reason !== undefined && { reason: order.reason }),
  })
  return { id, state, digest }
}

/** Locks what is paid, and throws `batchLeavesOut` unless each is as it was planned. */
const requireStillPayable = async (
  transaction: Kysely<Schema>,
  { config, plan, by }: Writing & Pick<Making, 'config'>,
): Promise<void> => {
  if (plan.kind === 'COLLECTION') return
  const ids = plan.payouts.flatMap(({ withdrawalId }) => withdrawalId ?? [])
  const loanIds = plan.payouts.flatMap(({ loanId }) => loanId ?? [])
  await sql`SELECT FROM transactions WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`.execute(
    transaction,
  )
  await sql`SELECT FROM loan_sendings WHERE loan_id = ANY (${loanIds}::uuid[]) AND status = 'OPEN' ORDER BY id FOR NO KEY UPDATE`.execute(
    transaction,
  )
  const { payable, leftOut } = await readCandidates(transaction, config, {
    ids,
    loanIds,
    network: plan.network,
    by: by.id,
  })
  const batched = leftOut.find(({ why }) => why === 'inBatch')
  if (batched) throw refusal(batched.loanId === null ? 'inBatch' : 'loanInBatch')
  const now = new Map(payable.map((each) => [orderOf(each), each]))
  const changed = plan.payouts.filter((payout) => {
    const found = now.get(orderOf(payout))
    return found?.address !== payout.address || found.amount !== payout.amount
  })
  if (changed.length > 0) throw refusal('batchLeavesOut', { count: changed.length })
}

type NewBatchRow = Writing & {
  readonly id: string
  readonly digest: string
  readonly state: 'WAITING' | 'READY'
}

const insert = async (
  transaction: Kysely<Schema>,
  { id, plan, by, digest, state }: NewBatchRow,
): Promise<void> => {
  const { network, change, payer, nonce, rate } = plan
  if (change)
    await transaction
      .insertInto('own_addresses')
      .values({
        id: newId(),
        network_name: network,
        address: change.address,
        class: 'CHANGE',
        key_id: change.keyId,
        derivation_index: change.index,
      })
      .execute()
  await transaction
    .insertInto('batches')
    .values({
      id,
      network_name: network,
      asset: plan.coin,
      decimals: plan.decimals,
      kind: plan.kind,
      format: plan.format,
      state,
      payer,
      digest,
      file: plan.file,
      nonce: nonce === null ? null : BigInt(nonce),
      safe_hash: plan.safeHash,
      dollars: textOfRate(rate.rate),
      rate_source: rate.source,
      rate_at: rate.at,
      fee_rate: plan.feeRate === null ? null : textOfFeeRate(plan.feeRate),
      fee_units: plan.feeUnits === null ? null : String(plan.feeUnits),
      gas: plan.gas?.used ?? null,
      gas_price: plan.gas ? String(plan.gas.price) : null,
      fee_cents: plan.fee,
      change_units: change && String(change.units),
      change_address: change?.address ?? null,
      made_by: by.id,
    })
    .execute()
  await sql`
    INSERT INTO batch_payouts (batch_id, position, withdrawal_id, sending_id, address, units)
    SELECT ${id}, place - 1, withdrawal_id, (SELECT s.id FROM loan_sendings AS s WHERE s.loan_id = named.loan_id AND status = 'OPEN'), address, units
    FROM unnest(${plan.payouts.map(({ withdrawalId }) => withdrawalId)}::uuid[], ${plan.payouts.map(({ loanId }) => loanId)}::uuid[], ${plan.payouts.map(({ address }) => address)}::text[],
      ${plan.payouts.map(({ units }) => String(units))}::numeric[]) WITH ORDINALITY AS named (withdrawal_id, loan_id, address, units, place)`.execute(
    transaction,
  )
  await sql`
    INSERT INTO batch_inputs (batch_id, network_name, input, address, units)
    SELECT ${id}, ${network}, input, address, units
    FROM unnest(${plan.inputs.map(({ input }) => input)}::text[], ${plan.inputs.map(({ address }) => address)}::text[],
      ${plan.inputs.map(({ units }) => String(units))}::numeric[]) AS named (input, address, units)`.execute(
    transaction,
  )
}
