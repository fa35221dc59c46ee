import { QueryCache, QueryClient } from '@tanstack/react-query'
import { clearCache } from './cache.ts'
import { isUnauthorized, logFailure } from './errors.ts'
import { shareEqual } from './sharing.ts'

/**
 * The one cache of what the server answered; emptied at every sign-in and sign-out. Nothing is
 * retried behind the user's back: a failure is shown in place with its own Retry. Offline calls are
 * made all the same, so that they fail and say so instead of waiting silently.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // Load failures are logged whether or not a screen shows them (docs/product.md 12.4); a 401 is
    // not one, it ends the session.
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

/** Forgets everything that was loaded for a user, and stops what is still under way. */
export const forgetAnswers = (): void => {
  void queryClient.cancelQueries()
  queryClient.clear()
  clearCache()
}
