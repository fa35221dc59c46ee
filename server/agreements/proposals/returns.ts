/** Approved withdrawals that two super admins give back, for a reason that the investor reads. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { requireReturnable, returnOf } from '../../money/claims/returns.ts'
import { record } from '../../records/audit/record.ts'
import type { Rules } from './kind.ts'

const facts = ({ amount }: PayloadOf<'RETURN_WITHDRAWAL'>) => ({ amount: formatDollars(amount) })

const actions = {
  asked: 'return.asked',
  approved: 'return.approved',
  rejected: 'return.declined',
  withdrawn: 'return.declined',
} as const

export const returnWithdrawal: Rules<'RETURN_WITHDRAWAL'> = {
  about: ({ transactionId, userId }) => ({ subject: transactionId, userId }),
  own: 'ownTransaction',
  facts,
  guard: ({ transaction }, payload) => requireReturnable(transaction, payload),
  recordStep: ({ transaction, context, by }, step, { payload, userId, reason }) =>
    record(transaction, context.keys, {
      by,
      action: actions[step],
      subject: { type: 'transaction', id: payload.transactionId },
      ownerId: userId ?? undefined,
      after: { amount: payload.amount },
      ...(step === 'asked' && { reason }),
    }),
  needsTwo: 'returnNeedsTwo',
  // Marks wait for this transaction, and then find the withdrawal given back.
  requires: ({ transaction }, { payload }) => requireReturnable(transaction, payload),
  posts: ({ transaction, context: { keys } }, agreed) =>
    returnOf({ db: transaction, keys }, agreed),
}
