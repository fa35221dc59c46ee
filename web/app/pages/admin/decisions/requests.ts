/** The facts of a request that a decision needs. */
import { actionsFor } from '@pool/contract/decisions'
import { type TransactionRow, waitsUntil } from '../../../api/transactions.ts'
import { configuration } from '../../../configuration.ts'
import { useSessionUser } from '../../../session/store.ts'

export const isLive = (): boolean => configuration().poolMode === 'live'

/** True while the request waits for a decision. */
export const isOpen = ({ type, status }: TransactionRow): boolean =>
  status === 'PENDING' && actionsFor(type, status).length > 0

/** One person cannot give both approvals. */
export const isApprovedBy = (
  { approvals }: Pick<TransactionRow, 'approvals'>,
  me: string | undefined,
): boolean => approvals.some(({ username }) => username === me)

export const useIsApprovedByMe = (transaction: Pick<TransactionRow, 'approvals'>): boolean =>
  isApprovedBy(transaction, useSessionUser()?.email)

/** The address that the row shows. */
export const shownAddressOf = ({ payee, destinationAddress }: TransactionRow): string | undefined =>
  payee?.address || destinationAddress || undefined

/** True when live mode cannot tell on which network a withdrawal is paid. */
export const lacksNetwork = ({ type, payee, networkName }: TransactionRow): boolean =>
  isLive() && type === 'withdrawal' && !(payee?.networkName ?? networkName)

/** The last approval of a deposit for another amount than was asked for. */
export const otherApproval = ({ type, amount, approvals }: TransactionRow) => {
  const last = type === 'deposit' ? approvals.at(-1) : undefined
  return last && last.amount !== null && last.amount !== amount ? last : undefined
}

/** True for a withdrawal that cannot be approved until its owner has lifted a freeze. */
export const isOwnerFrozen = ({ flags }: TransactionRow): boolean => flags.includes('ownerFrozen')

/** True when an approval needs nothing but the press. */
export const isReady = (transaction: TransactionRow, now: Date): boolean =>
  transaction.type === 'deposit'
    ? !isLive() && !otherApproval(transaction)
    : transaction.payee !== null &&
      waitsUntil(transaction, now) === null &&
      !isOwnerFrozen(transaction) &&
      !lacksNetwork(transaction)

type Given = { readonly evidence?: string; readonly receivedAmount?: number | undefined }

/** The payload of an approval. */
export const approvalOf = (
  transaction: TransactionRow,
  { evidence = '', receivedAmount }: Given = {},
) => ({
  transactionId: transaction.id,
  userId: transaction.userId ?? '',
  type: transaction.type,
  payeeAddress: shownAddressOf(transaction),
  ...(evidence.trim() && { evidence: evidence.trim() }),
  receivedAmount,
})
