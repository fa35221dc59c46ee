import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import { type RefusalCode, refusal } from '@pool/contract/base/refusals'
import type { orderOnRecord } from '@pool/contract/coins/withdrawalOrder'
import type { AuditAction } from '@pool/contract/reports/audit'
import type { TransactionType } from '@pool/contract/requests/transactions'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import type { Actor, Caller } from '../../base/sessions/actor.ts'
import type { WithKeys, WithLedger } from '../../http/context.ts'
import { evidenceText, isEnding, statusAfter } from '../../ledger/families/decisions.ts'
import type { DepositConfirmed, DepositRejected } from '../../ledger/families/deposits.ts'
import type { Idempotency, Posted } from '../../ledger/families/movement.ts'
import type { WithdrawalApproved, WithdrawalReleased } from '../../ledger/families/withdrawals.ts'
import { signEntry } from '../../records/audit/entry.ts'

/** A request to decide about a transaction. */
export type DecisionRequest = {
  readonly transactionId: string
  readonly by: Caller
  readonly idempotency?: Idempotency | undefined
}

/**
 * Finds the transaction to decide about; posting guards its status. Throws `transactionNotFound`,
 * `notADeposit`, `notAWithdrawal` and `ownTransaction` (docs/threats.md T8).
 */
export const findDecidable = async (
  db: Kysely<Schema>,
  { transactionId, by }: DecisionRequest,
  type: keyof typeof wrongType,
) => {
  const transaction = await findRequest(db, transactionId)
  if (transaction.type !== type) throw refusal(wrongType[type])
  const { ownerIds, ...found } = transaction
  if (ownerIds.includes(by.id)) throw refusal('ownTransaction')
  return found
}

/** Finds a transaction of any type. Throws `transactionNotFound`. */
export const findRequest = async (db: Kysely<Schema>, transactionId: string) => {
  const transaction = await db
    .selectFrom('transactions')
    .leftJoin('wallets', 'wallets.id', 'transactions.wallet_id')
    .select([
      'transactions.id',
      'user_id',
      sql<string[]>`accounts_of(user_id)`.as('owner_ids'),
      'wallet_id',
      'type',
      'amount',
      'fee',
      'destination_address',
      'evidence',
      'evidence_output',
      'network_name',
      'transactions.status',
      'transactions.created_at',
      'transactions.unannounced',
    ])
    .where('transactions.id', '=', transactionId)
    .executeTakeFirst()
  if (!transaction) throw refusal('transactionNotFound')
  return {
    id: transaction.id,
    type: transaction.type,
    ownerId: transaction.user_id,
    ownerIds: transaction.owner_ids,
    walletId: transaction.wallet_id,
    amount: cents(transaction.amount),
    fee: cents(transaction.fee),
    destinationAddress: transaction.destination_address,
    status: transaction.status,
    createdAt: transaction.created_at,
    unannounced: transaction.unannounced,
    evidence:
      transaction.evidence === null
        ? null
        : { id: transaction.evidence, output: transaction.evidence_output ?? undefined },
    networkName: transaction.network_name ?? '',
  }
}

/** The refusals of a transaction of another type. */
const wrongType = {
  deposit: 'notADeposit',
  withdrawal: 'notAWithdrawal',
} as const satisfies Partial<Record<TransactionType, RefusalCode>>

type Decidable = Omit<
  Awaited<ReturnType<typeof findRequest>>,
  'type' | 'status' | 'createdAt' | 'unannounced' | 'walletId' | 'ownerIds'
> & {
  /** The cents that were asked for, where others are confirmed. */
  readonly requestedAmount?: Cents
}

type OrderOnRecord = ReturnType<typeof orderOnRecord>

/** The part of an operation that a verb decides. {@link postDecision} adds the rest. */
export type Decision =
  | Pick<DepositConfirmed, 'movement' | 'evidence'>
  | Pick<WithdrawalApproved, 'movement' | 'payeeAddress'>
  | Ending
export type Ending = Pick<DepositRejected | WithdrawalReleased, 'movement' | 'reason' | 'cancels'>

/** The names of decisions on record, if no further approval is needed. */
const actions = {
  deposit_confirmed: 'deposit.confirmed',
  withdrawal_approved: 'withdrawal.approved',
  deposit_rejected: 'deposit.rejected',
  withdrawal_released: 'withdrawal.rejected',
} as const satisfies Readonly<Record<Decision['movement'], AuditAction>>

const cancellations = {
  deposit_rejected: 'deposit.cancelled',
  withdrawal_released: 'withdrawal.cancelled',
} as const satisfies Readonly<Record<Ending['movement'], AuditAction>>

const actionOf = (decision: Decision) =>
  isEnding(decision) && decision.cancels
    ? cancellations[decision.movement]
    : actions[decision.movement]

/**
 * Posts and records a decision. Throws the refusals of `ledger/decisions.ts`, such as
 * `alreadyDecided`, and what {@link Ledger.post} throws.
 */
export const postDecision = (
  { keys, ledger }: WithKeys & WithLedger,
  { by, idempotency, order }: DecisionRequest & { readonly order?: OrderOnRecord | undefined },
  decidable: Decidable,
  decision: Decision,
): Promise<Posted> => {
  const { id, ownerId, amount } = decidable
  const reason = isEnding(decision) ? decision.reason : order?.reason
  const entry = entryOf(keys, { by, reason, order }, decidable, decision)
  return ledger.post({ ...decision, by, idempotency, id, ownerId, amount, entry })
}

/** The signed entry of a decision, as the last one that its request needs. */
export const entryOf = (
  keys: Keys,
  {
    by,
    reason,
    order,
  }: {
    readonly by: Actor
    readonly reason: string | undefined
    readonly order?: OrderOnRecord | undefined
  },
  { id, ownerId, amount, fee, requestedAmount = amount, destinationAddress }: Decidable,
  decision: Decision,
) =>
  signEntry(keys, {
    by,
    action: actionOf(decision),
    subject: { type: 'transaction', id },
    ownerId,
    before: {
      status: 'PENDING',
      ...(amount !== requestedAmount && { amount: dollarsFromCents(requestedAmount) }),
    },
    after: {
      status: statusAfter(decision),
      amount: dollarsFromCents(amount),
      ...(fee > 0n && { networkFee: dollarsFromCents(fee) }),
      ...(decision.movement === 'deposit_confirmed' && {
        evidence: decision.evidence && evidenceText(decision.evidence),
      }),
      destinationAddress: destinationAddress || undefined,
      ...(decision.movement === 'withdrawal_approved' && { payeeAddress: decision.payeeAddress }),
      ...order?.after,
    },
    ...(reason !== undefined && { reason }),
  })
