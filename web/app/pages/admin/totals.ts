import { type ListQuery, useListTotal } from '../../api/http/lists.ts'
import { allInvestments } from '../../api/investments.ts'
import { transactionList } from '../../api/transactions.ts'
import { userList } from '../../api/users.ts'
import { walletList } from '../../api/wallets.ts'

const pending: ListQuery = { status: 'PENDING' }
const available: ListQuery = { status: 'available' }

/**
 * How many there are in all. Each figure of the admin dashboard is loaded on its own, so that one
 * failure does not block the others (docs/product.md 3.10) and an answer draws again nothing but
 * what shows it; the tables load their pages themselves. Only a super admin may ask for users
 * (docs/product.md 2.1).
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
