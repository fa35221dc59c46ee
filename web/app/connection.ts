import { useSyncExternalStore } from 'react'

/** `offline`: the browser has no network. `gone`: the server does not answer. */
export type Connection =
  | { readonly state: 'there' }
  | { readonly state: 'offline' | 'gone'; readonly since: Date }

const there: Connection = { state: 'there' }
let current: Connection = there
const watchers = new Set<() => void>()

const become = (next: Connection): void => {
  current = next
  for (const watcher of watchers) watcher()
}

/** The time of the last response, which is the time of the figures on the screen. */
let lastResponse = new Date()

/** Notes a response of the server. */
export const noteResponse = (): void => {
  lastResponse = new Date()
  if (current.state !== 'there') become(there)
}

/** Notes that no response came. */
export const noteLoss = (state: 'offline' | 'gone'): void => {
  if (current.state !== state) become({ state, since: lastResponse })
}

export const isConnected = (): boolean => current.state === 'there'

/** Calls `watcher` at each change. Returns a function that stops it. */
export const watchConnection = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** The state of the connection to the server. */
export const useConnection = (): Connection =>
  useSyncExternalStore(
    watchConnection,
    () => current,
    () => there,
  )
