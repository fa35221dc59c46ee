/**
 * The bearer token in storage. A 401 clears it and calls the listeners (docs/product.md 8.8).
 * Imports constants only, so the guards stay small.
 */
import { storageKeys } from '@pool/contract/session'

/** A value of storage, or null. Refused storage counts as empty. */
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
 * Calls `listener` with the sentence for the user when the server refuses the token. Returns a
 * function that stops it.
 */
export const onUnauthorized = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Ends the session of `token`. A late 401 for a replaced token ends nothing. */
export const endSession = (token: string | null, message: string): void => {
  if (token !== readToken()) return
  window.localStorage.removeItem(storageKeys.token)
  for (const listener of listeners) listener(message)
}
