import { useSyncExternalStore } from 'react'

/** The age at which the present moment is read again. */
const EVERY_MS = 30_000

let now = new Date()
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const tick = (): void => {
  now = new Date()
  for (const watcher of watchers) watcher()
}

/** One timer serves all texts of a page. */
const subscribe = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  timer ??= setInterval(tick, EVERY_MS)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const read = (): Date => {
  if (timer === undefined && Date.now() - now.getTime() >= EVERY_MS) now = new Date()
  return now
}

/** The present moment, the same for all texts of a page. */
export const useNow = (): Date => useSyncExternalStore(subscribe, read, read)
