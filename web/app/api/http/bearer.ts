/**
 * The bearer token in storage. A 401 clears it and calls the listeners (docs/product.md 8.8).
 * Imports little, so the guards stay small.
 */
import { storageKeys } from '@pool/contract/accounts/session'
import { stored } from '../../storage.ts'

export const readToken = (): string | null => stored.read(storageKeys.token)

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

/**
 * Ends the session of `token`. A late 401 for a replaced token ends nothing. The listeners come
 * first, since without a token they could not tell whose session ends.
 */
export const endSession = (token: string | null, message: string): void => {
  if (token !== readToken()) return
  for (const listener of listeners) listener(message)
  stored.remove(storageKeys.token)
}
