/**
 * The bearer token in storage, and the one moment at which a call ends the session: a 401 clears
 * the token and everybody who listens is told (docs/product.md 8.8). No dependency beyond
 * constants, so the guards stay light.
 */
import { storageKeys } from '@pool/contract/session'

/** A value of storage, or null; a browser that refuses storage counts as empty. */
export const readStored = (key: string): string | null => {
  try {
    return window.localStorage.getItem(key) || null
  } catch {
    return null
  }
}

export const readToken = (): string | null => readStored(storageKeys.token)

type Listener = (message: string) => void
const listeners = new Set<Listener>()

/**
 * Calls `listener` with the sentence for the user whenever the server no longer accepts the token.
 * Returns the way out.
 */
export const onUnauthorized = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Ends the session that `token` stood for. A late 401 for a token that was replaced meanwhile ends
 * nothing.
 */
export const endSession = (token: string | null, message: string): void => {
  if (token !== readToken()) return
  window.localStorage.removeItem(storageKeys.token)
  for (const listener of listeners) listener(message)
}
