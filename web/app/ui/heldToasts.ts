import { useEffect, useSyncExternalStore } from 'react'

/** The place of something that toasts must not cover. */
type Cover = 'middle' | 'side'

/** The least width in pixels that has room for a toast beside a dialog. */
const ROOM = 1_200

const covers: Cover[] = []
const watchers = new Set<() => void>()
const notifyAll = () => {
  for (const watcher of watchers) watcher()
}
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
const isHeld = () => covers.includes('side') || (covers.length > 0 && window.innerWidth < ROOM)

/** Holds toasts back while a dialog or panel is where they would appear. */
export const useHeldToasts = (opened: boolean, place: Cover): void =>
  useEffect(() => {
    if (!opened) return
    covers.push(place)
    notifyAll()
    return () => {
      covers.splice(covers.indexOf(place), 1)
      notifyAll()
    }
  }, [opened, place])

export const useToastsHeld = (): boolean => useSyncExternalStore(watch, isHeld, () => false)
