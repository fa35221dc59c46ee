/** Approved withdrawals that two super admins give back, for a reason that the investor reads. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { requireReturnable, returnOf } from '../../money/claims/returns.ts'
import type { Rules } from './kind.ts'

const facts = ({ amount }: PayloadOf<'RETURN_WITHDRAWAL'>) => ({ amount: formatDollars(amount) })

export const returnWithdrawal: Rules<'RETURN_WITHDRAWAL'> = {
  about: ({ transactionId, userId }) => ({ subject: transactionId, userId }),
  on: ({ transactionId }) => transactionId,
  own: 'ownTransaction',
  facts,
  needsTwo: 'returnNeedsTwo',
  // Marks wait for this transaction, and then find the withdrawal given back.
  requires: ({ transaction }, { payload }) => requireReturnable(transaction, payload),
  posts: ({ transaction, context: { keys } }, agreed) =>
    returnOf({ db: transaction, keys }, agreed),
}
