import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/**
 * Whether the browser has taken over from the prerendered page: from then on a component may show
 * what only a browser knows.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
