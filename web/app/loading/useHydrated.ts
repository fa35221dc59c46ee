import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** True once React runs in the browser. Components may then show facts that prerendering lacks. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
