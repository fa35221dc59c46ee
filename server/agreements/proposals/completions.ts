/** Sent withdrawals that two people complete, as one person may not (docs/decisions/084). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { completionOf, requireCompletable } from '../../money/claims/completeAgreed.ts'
import type { Rules } from './kind.ts'

const facts = ({ amount, networkName, evidence }: PayloadOf<'COMPLETE_WITHDRAWAL'>) => ({
  amount: formatDollars(amount),
  networkName,
  evidence,
})

export const completeWithdrawal: Rules<'COMPLETE_WITHDRAWAL'> = {
  evenClosed: true,
  on: ({ transactionId }) => transactionId,
  own: 'ownTransaction',
  about: ({ transactionId, userId }) => ({ subject: transactionId, userId }),
  facts,
  needsTwo: 'completionNeedsTwo',
  requires: ({ transaction }, { payload }) => requireCompletable(transaction, payload),
  posts: ({ transaction, context: { keys }, by }, { payload, askedBy }) =>
    completionOf({ db: transaction, keys }, payload, [askedBy, by.id ?? '']),
}
