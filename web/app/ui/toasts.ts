import { type ComponentType, useSyncExternalStore } from 'react'
import { sayPlainly } from '../loading/missing.ts'
import type { Toast } from './showToast.tsx'

let Stack: ComponentType | null = null
const watchers = new Set<() => void>()

/**
 * Says in a corner of the screen what has happened, unless it is `over` by then. Its code comes
 * with the first toast. Without it the sentence is said plainly.
 */
export const toast = (said: Toast, over?: AbortSignal): void => {
  import('./showToast.tsx').then(
    ({ showToast, ToastStack }) => {
      if (over?.aborted) return
      Stack = ToastStack
      for (const watcher of watchers) watcher()
      showToast(said)
    },
    () => {
      if (!over?.aborted) sayPlainly(said.message)
    },
  )
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Draws the toasts, once there was one. */
export const useToastStack = (): ComponentType | null =>
  useSyncExternalStore(
    watch,
    () => Stack,
    () => null,
  )
