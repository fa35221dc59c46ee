import { QueryCache, QueryClient } from '@tanstack/react-query'
import { clearCache } from './cache.ts'
import { isUnauthorized, logFailure } from './errors.ts'
import { shareEqual } from './sharing.ts'

/**
 * The only cache of responses, emptied at each sign-in and sign-out. Failed calls are not retried:
 * the screen offers Retry. Offline calls fail at once.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // Logs failed loads (docs/product.md 12.4). A 401 is none: it ends the session.
    onError: (error, query) => {
      if (!isUnauthorized(error)) logFailure(`Could not load ${query.queryKey.join(' ')}`, error)
    },
  }),
  defaultOptions: {
    queries: {
      retry: false,
      networkMode: 'always',
      staleTime: 5_000,
      structuralSharing: shareEqual,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** Drops everything that was loaded for a user, and aborts running calls. */
export const forgetAnswers = (): void => {
  void queryClient.cancelQueries()
  queryClient.clear()
  clearCache()
}
