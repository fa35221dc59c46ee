/** Approved withdrawals that two super admins give back, for a reason that the investor reads. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { isAgreed, requireReturnable } from '../../money/claims/returns.ts'
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
  guard: async ({ transaction }, payload) => {
    await requireReturnable(transaction, payload)
    if (await isAgreed(transaction, payload.transactionId))
      throw refusal('notToReturn', { status: 'RETURNED' })
  },
  recordStep: ({ transaction, context, by }, step, { payload, userId, reason }) =>
    record(transaction, context.keys, {
      by,
      action: actions[step],
      subject: { type: 'transaction', id: payload.transactionId },
      ownerId: userId ?? undefined,
      after: { amount: payload.amount },
      ...(step === 'asked' && { reason }),
    }),
  // Marks wait for this transaction, and then find what was agreed.
  apply: async ({ transaction }, { payload, alone }) => {
    if (alone) throw refusal('returnNeedsTwo')
    await requireReturnable(transaction, payload)
  },
}
