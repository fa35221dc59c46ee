import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { logFailure } from '../../api/errors.ts'
import { allInvestments, useCheckMaturities } from '../../api/investments.ts'
import { type ListQuery, useListTotal } from '../../api/lists.ts'
import { reloadMoney, transactionList, useTotalBalance } from '../../api/transactions.ts'
import { userList } from '../../api/users.ts'
import { walletList } from '../../api/wallets.ts'
import type { SessionUser } from '../../session/store.ts'

const pending: ListQuery = { status: 'PENDING' }

/**
 * The figures of the admin dashboard, each loaded on its own, so that one failure does not block the others (spec §7); the tables load their
 * pages themselves. Users are asked for by a super admin only (spec §6). Matured investments are paid first, when the screen opens and on
 * `refresh` (design §8).
 */
export const useAdminData = (user: SessionUser) => {
  const client = useQueryClient()
  const [refreshing, setRefreshing] = useState(false)
  const { mutateAsync: checkMaturities } = useCheckMaturities()

  /** Answers how many investments were paid; a failure is logged and pays none. */
  const payMatured = useCallback(
    () =>
      checkMaturities().catch((error: unknown) => {
        logFailure('Could not check maturities', error)
        return 0
      }),
    [checkMaturities],
  )

  useEffect(() => {
    // The lists are already loading meanwhile; only a payment makes them out of date.
    void payMatured().then((matured) => (matured > 0 ? reloadMoney(client) : undefined))
  }, [client, payMatured])

  const refresh = async () => {
    setRefreshing(true)
    await payMatured()
    await reloadMoney(client)
    setRefreshing(false)
  }

  return {
    users: useListTotal(userList, {}, { enabled: user.role === 'SUPER_ADMIN' }),
    transactions: useListTotal(transactionList),
    pendingTransactions: useListTotal(transactionList, pending),
    investments: useListTotal(allInvestments),
    pendingInvestments: useListTotal(allInvestments, pending),
    wallets: useListTotal(walletList),
    totalBalance: useTotalBalance(),
    refresh,
    refreshing,
  }
}

export type AdminData = ReturnType<typeof useAdminData>
