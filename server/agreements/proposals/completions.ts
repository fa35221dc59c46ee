/** Sent withdrawals that two people complete, as one person may not (docs/decisions/084). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { completionOf, requireCompletable } from '../../money/claims/completeAgreed.ts'
import { record } from '../../records/audit/record.ts'
import type { Rules } from './kind.ts'

const facts = ({ amount, networkName, evidence }: PayloadOf<'COMPLETE_WITHDRAWAL'>) => ({
  amount: formatDollars(amount),
  networkName,
  evidence,
})

const actions = {
  asked: 'completion.asked',
  approved: 'completion.approved',
  rejected: 'completion.declined',
  withdrawn: 'completion.declined',
} as const

export const completeWithdrawal: Rules<'COMPLETE_WITHDRAWAL'> = {
  byStaff: true,
  evenClosed: true,
  own: 'ownTransaction',
  about: ({ transactionId, userId }) => ({ subject: transactionId, userId }),
  facts,
  recordStep: ({ transaction, context, by }, step, { payload, userId }) =>
    record(transaction, context.keys, {
      by,
      action: actions[step],
      subject: { type: 'transaction', id: payload.transactionId },
      ownerId: userId ?? undefined,
      after: {
        amount: payload.amount,
        networkName: payload.networkName,
        evidence: payload.evidence,
      },
    }),
  needsTwo: 'completionNeedsTwo',
  requires: ({ transaction }, { payload }) => requireCompletable(transaction, payload),
  posts: ({ transaction, context: { keys }, by }, { payload, askedBy }) =>
    completionOf({ db: transaction, keys }, payload, [askedBy, by.id ?? '']),
}
