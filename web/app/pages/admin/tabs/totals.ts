import { type ListQuery, type ListSource, useListTotal } from '../../../api/http/lists.ts'
import { allInvestments } from '../../../api/investments.ts'
import type { LoanRow } from '../../../api/loanList.ts'
import { transactionList } from '../../../api/transactions.ts'
import { userList } from '../../../api/users.ts'
import { walletList } from '../../../api/wallets.ts'
import { late } from '../../../loading/missing.ts'

const pending: ListQuery = { status: 'PENDING' }
const available: ListQuery = { status: 'available' }
const archived: ListQuery = { status: 'archived' }

/** The loans, whose code no first load waits for. */
const loanList: ListSource<LoanRow> = {
  noun: 'loans',
  key: 'counted',
  load: async (ask) => (await late(() => import('../../../api/loanList.ts'))).loanList.load(ask),
}

/**
 * The counts of the admin dashboard, each its own query, so that one failure leaves the others
 * (docs/product.md 3.10). Only super admins may ask for users.
 */
export const useTotals = {
  users: (query: ListQuery = {}, options: { readonly enabled?: boolean } = {}) =>
    useListTotal(userList, query, options),
  transactions: (query: ListQuery = {}) => useListTotal(transactionList, query),
  pendingTransactions: () => useListTotal(transactionList, pending),
  investments: (query: ListQuery = {}) => useListTotal(allInvestments, query),
  pendingInvestments: () => useListTotal(allInvestments, pending),
  loans: (query: ListQuery = {}) => useListTotal(loanList, query),
  wallets: (query: ListQuery = {}) => useListTotal(walletList, query),
  availableWallets: () => useListTotal(walletList, available),
  archivedWallets: () => useListTotal(walletList, archived),
} as const
