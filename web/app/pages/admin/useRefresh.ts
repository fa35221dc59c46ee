import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { logFailure } from '../../api/http/errors.ts'
import { payMatured } from '../../api/money/investments.ts'
import { invalidateMoney } from '../../api/requests/transactions.ts'
import { useMayWrite } from '../../session/store.ts'

/** The number of paid investments: 0 for an auditor, and after a failure, which is logged. */
const tryToPay = (mayWrite: boolean): Promise<number> =>
  (mayWrite ? payMatured() : Promise.resolve(0)).catch((error: unknown) => {
    logFailure('Could not check maturities', error)
    return 0
  })

/**
 * Pays matured investments when the screen opens and at `refresh`, which then loads everything
 * again (docs/product.md 3.11).
 */
export const useRefresh = () => {
  const client = useQueryClient()
  const mayWrite = useMayWrite()
  const [refreshing, setRefreshing] = useState(false)
  const [loads, setLoads] = useState(0)

  useEffect(() => {
    // The lists are loading already. Only a payment makes them stale.
    void tryToPay(mayWrite).then((matured) => (matured > 0 ? invalidateMoney(client) : undefined))
  }, [client, mayWrite])

  const refresh = async () => {
    setRefreshing(true)
    await tryToPay(mayWrite)
    await invalidateMoney(client)
    setRefreshing(false)
    setLoads((before) => before + 1)
  }

  return { refresh, refreshing, loads }
}
