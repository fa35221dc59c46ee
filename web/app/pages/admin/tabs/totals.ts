import { userList } from '../../../api/accounts/users.ts'
import { walletList } from '../../../api/chain/wallets.ts'
import { type ListQuery, type ListSource, useListTotal } from '../../../api/http/lists.ts'
import type { LoanRow } from '../../../api/lending/loanList.ts'
import { allInvestments } from '../../../api/money/investments.ts'
import { transactionList } from '../../../api/requests/transactions.ts'
import { late } from '../../../loading/missing.ts'

const pending: ListQuery = { status: 'PENDING' }
const available: ListQuery = { status: 'available' }
const archived: ListQuery = { status: 'archived' }

/** The loans, whose code no first load waits for. */
const loanList: ListSource<LoanRow> = {
  noun: 'loans',
  key: 'counted',
  load: async (ask) =>
    (await late(() => import('../../../api/lending/loanList.ts'))).loanList.load(ask),
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
