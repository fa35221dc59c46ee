import type { TransactionRow } from '../../../api/requests/transactions.ts'

/** The address that the row shows. */
export const shownAddressOf = ({ payee, destinationAddress }: TransactionRow): string | undefined =>
  payee?.address || destinationAddress || undefined

type ApprovalFields = {
  readonly evidence?: string
  readonly receivedAmount?: number | undefined
  readonly outOfOrderReason?: string
}

/** The payload of an approval. */
export const approvalOf = (
  transaction: TransactionRow,
  { evidence = '', receivedAmount, ...order }: ApprovalFields = {},
) => ({
  transactionId: transaction.id,
  userId: transaction.userId ?? '',
  type: transaction.type,
  payeeAddress: shownAddressOf(transaction),
  ...(evidence.trim() && { evidence: evidence.trim() }),
  receivedAmount,
  ...order,
})
