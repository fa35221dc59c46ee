import type { QueryClient } from '@tanstack/react-query'
import { isConnected, noteLoss, noteResponse, watchConnection } from '../../connection.ts'
import { isServerThere } from './client.ts'

/** The first delay between two probes in milliseconds. It doubles up to the limit. */
const PROBE_MS = 2_000
const PROBE_LIMIT_MS = 15_000

/**
 * Asks whether the server is there, and notes the answer. The browser's word about its network only
 * names the loss: it may be wrong for long.
 */
export const probe = async (): Promise<void> => {
  if (await isServerThere()) noteResponse()
  else noteLoss(navigator.onLine ? 'gone' : 'offline')
}

/** Probes while the connection is lost, then loads all again. Returns a function that stops. */
export const reconnect = (client: QueryClient): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = 0
  const again = () => {
    timer = setTimeout(
      async () => {
        await probe()
        if (timer !== undefined) again()
      },
      Math.min(PROBE_LIMIT_MS, PROBE_MS * 2 ** attempt++),
    )
  }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
    attempt = 0
  }
  const look = () => {
    if (!isConnected()) return timer === undefined ? again() : undefined
    if (timer === undefined) return
    stop()
    void client.invalidateQueries()
  }
  const onNetwork = () => (navigator.onLine ? void probe() : noteLoss('offline'))
  const leave = watchConnection(look)
  for (const type of ['online', 'offline']) window.addEventListener(type, onNetwork)
  // No event comes for a network that was lost before.
  if (!navigator.onLine) onNetwork()
  look()
  return () => {
    leave()
    stop()
    for (const type of ['online', 'offline']) window.removeEventListener(type, onNetwork)
  }
}
