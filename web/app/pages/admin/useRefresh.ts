import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { logFailure } from '../../api/http/errors.ts'
import { useCheckMaturities } from '../../api/investments.ts'
import { invalidateMoney } from '../../api/transactions.ts'

/**
 * Pays matured investments when the screen opens and at `refresh`, which then loads everything
 * again (docs/product.md 3.11).
 */
export const useRefresh = () => {
  const client = useQueryClient()
  const [refreshing, setRefreshing] = useState(false)
  const { mutateAsync: checkMaturities } = useCheckMaturities()

  /** Returns the number of paid investments; 0 after a failure, which is logged. */
  const payMatured = useCallback(
    () =>
      checkMaturities().catch((error: unknown) => {
        logFailure('Could not check maturities', error)
        return 0
      }),
    [checkMaturities],
  )

  useEffect(() => {
    // The lists are loading already. Only a payment makes them stale.
    void payMatured().then((matured) => (matured > 0 ? invalidateMoney(client) : undefined))
  }, [client, payMatured])

  const refresh = async () => {
    setRefreshing(true)
    await payMatured()
    await invalidateMoney(client)
    setRefreshing(false)
  }

  return { refresh, refreshing }
}
