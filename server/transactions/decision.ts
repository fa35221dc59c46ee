import type { AuditAction } from '@pool/contract/audit'
import { cents, dollarsFromCents } from '@pool/contract/money'
import { type RefusalCode, refusal } from '@pool/contract/refusals'
import { actionsFor, type TransactionAction } from '@pool/contract/transactions'
import type { Kysely } from 'kysely'
import { signEntry } from '../audit/entry.ts'
import type { Context } from '../context.ts'
import type { Schema } from '../db/schema.ts'
import { type Decision, type Idempotency, type Posted, statusAfter } from '../ledger/operation.ts'
import type { Caller } from '../sessions/actor.ts'

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
  action: TransactionAction,
) => {
  const transaction = await db
    .selectFrom('transactions')
    .leftJoin('wallets', 'wallets.id', 'transactions.wallet_id')
    .select([
      'transactions.id',
      'user_id',
      'type',
      'amount',
      'destination_address',
      'evidence',
      'network_name',
    ])
    .where('transactions.id', '=', transactionId)
    .executeTakeFirst()
  if (!transaction) throw refusal('transactionNotFound')
  if (!actionsFor(transaction.type, 'PENDING').includes(action)) throw refusal(wrongType[action])
  if (transaction.user_id === by.id) throw refusal('ownTransaction')
  return {
    id: transaction.id,
    ownerId: transaction.user_id,
    amount: cents(transaction.amount),
    destinationAddress: transaction.destination_address,
    evidence: transaction.evidence,
    networkName: transaction.network_name ?? '',
  }
}

/** The refusals of a transaction of another type. */
const wrongType = {
  confirm: 'notADeposit',
  approve: 'notAWithdrawal',
  reject: 'notAWithdrawal',
} as const satisfies Readonly<Record<TransactionAction, RefusalCode>>

type Decidable = Awaited<ReturnType<typeof findDecidable>>

/** The names of decisions on record, if no further approval is needed. */
const actions = {
  deposit_confirmed: 'deposit.confirmed',
  withdrawal_paid: 'withdrawal.approved',
  withdrawal_released: 'withdrawal.rejected',
} as const satisfies Readonly<Record<Decision['movement'], AuditAction>>

/**
 * Posts and records a decision. Throws `alreadyDecided`, `approvedAlready`, `payeeChanged`,
 * `evidenceUsed`, `evidenceDiffers`, `forbidden` and what {@link Ledger.post} throws.
 */
export const postDecision = (
  { keys, ledger }: Pick<Context, 'keys' | 'ledger'>,
  { by, idempotency }: DecisionRequest,
  { id, ownerId, amount, destinationAddress }: Decidable,
  decision: Decision,
): Promise<Posted> =>
  ledger.post({
    ...decision,
    by,
    idempotency,
    id,
    ownerId,
    amount,
    entry: signEntry(keys, {
      by,
      action: actions[decision.movement],
      subject: { type: 'transaction', id },
      ownerId,
      before: { status: 'PENDING' },
      after: {
        status: statusAfter(decision.movement),
        amount: dollarsFromCents(amount),
        ...(decision.movement === 'deposit_confirmed' && { evidence: decision.evidence?.id }),
        destinationAddress: destinationAddress || undefined,
        ...(decision.movement === 'withdrawal_paid' && { payeeAddress: decision.payeeAddress }),
      },
      ...(decision.movement === 'withdrawal_released' && { reason: decision.reason }),
    }),
  })
