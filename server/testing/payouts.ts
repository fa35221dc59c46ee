import { markCompleted } from '../money/claims/markCompleted.ts'
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
