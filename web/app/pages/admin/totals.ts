import { type ListQuery, useListTotal } from '../../api/http/lists.ts'
import { allInvestments } from '../../api/investments.ts'
import { transactionList } from '../../api/transactions.ts'
import { userList } from '../../api/users.ts'
import { walletList } from '../../api/wallets.ts'

const pending: ListQuery = { status: 'PENDING' }
const available: ListQuery = { status: 'available' }

/**
 * The counts of the admin dashboard, each its own query, so that one failure leaves the others
 * (docs/product.md 3.10). Only super admins may ask for users.
 */
export const useTotals = {
  users: (options: { readonly enabled?: boolean } = {}) => useListTotal(userList, {}, options),
  transactions: () => useListTotal(transactionList),
  pendingTransactions: () => useListTotal(transactionList, pending),
  investments: () => useListTotal(allInvestments),
  pendingInvestments: () => useListTotal(allInvestments, pending),
  wallets: () => useListTotal(walletList),
  availableWallets: () => useListTotal(walletList, available),
} as const
