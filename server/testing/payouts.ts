import { markCompleted } from '../money/claims/returns/markCompleted.ts'
import { approveWithdrawal } from '../requests/transactions/approveWithdrawal.ts'
import { markSent } from '../requests/transactions/markSent.ts'

type Approval = Parameters<typeof approveWithdrawal>[1]

/** Approves a withdrawal, and marks it as sent and completed. */
export const payOut = async (
  context: Parameters<typeof approveWithdrawal>[0],
  approval: Approval,
): Promise<void> => {
  const { transactionId, by } = approval
  await approveWithdrawal(context, approval)
  const evidence = 'ab'.repeat(32)
  await markSent(context, { transactionId, networkName: 'Bitcoin', evidence, by })
  await markCompleted(context, { transactionId, by })
}

/** SQL that makes an approved withdrawal what releases before the account `outgoing` wrote. */
export const asOlderRelease = (id: string): string =>
  `UPDATE movements SET name = 'withdrawal_paid', to_account_id = (SELECT id FROM accounts WHERE kind = 'custody')
   WHERE reference_id = '${id}' AND name = 'withdrawal_approved';
   UPDATE transactions SET outgoing = false WHERE id = '${id}'`
