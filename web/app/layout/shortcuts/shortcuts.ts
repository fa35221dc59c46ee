import { useEffect, useRef, useSyncExternalStore } from 'react'

/**
 * What a key does. `keys` are pressed one after the other where they are several: 'g t' is g, then
 * t.
 */
export type Shortcut = { readonly keys: string; readonly label: string; readonly run: () => void }

const STORED = 'shortcuts'
/** How long the first of two keys waits for the second, in milliseconds. */
const SECOND_KEY_MS = 1_500
const watchers = new Set<() => void>()

const readOn = (): boolean => {
  try {
    return localStorage.getItem(STORED) !== 'off'
  } catch {
    return true
  }
}

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/**
 * Whether single keys do something: whoever dictates or types with difficulty can switch them off
 * (WCAG 2.1.4), and it is remembered.
 */
export const useShortcutsOn = (): boolean => useSyncExternalStore(watch, readOn, () => true)

export const setShortcutsOn = (on: boolean): void => {
  try {
    localStorage.setItem(STORED, on ? 'on' : 'off')
  } catch {
    // Without storage the choice cannot be kept.
  }
  for (const watcher of watchers) watcher()
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'))

const isMeantForUs = (event: KeyboardEvent): boolean =>
  !(
    event.defaultPrevented ||
    event.repeat ||
    event.isComposing ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey
  ) &&
  !isTyping(event.target) &&
  document.querySelector('[role="dialog"]') === null

/**
 * Listens for the shortcuts while the component is shown: never while somebody types, holds a
 * modifier or has a dialog open.
 */
export const useShortcuts = (shortcuts: readonly Shortcut[]): void => {
  const on = useShortcutsOn()
  const current = useRef(shortcuts)
  current.current = shortcuts
  useEffect(() => {
    if (!on) return
    let first = { key: '', at: Number.NEGATIVE_INFINITY }
    const onKey = (event: KeyboardEvent) => {
      if (!isMeantForUs(event)) return
      const waiting = event.timeStamp - first.at < SECOND_KEY_MS ? `${first.key} ` : ''
      const pressed = current.current.find(({ keys }) => keys === `${waiting}${event.key}`)
      first = {
        key: event.key,
        at: waiting === '' && pressed === undefined ? event.timeStamp : Number.NEGATIVE_INFINITY,
      }
      if (!pressed) return
      event.preventDefault()
      pressed.run()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [on])
}

/**
 * Puts the cursor into the search field that is in view; the first one of the page where none is.
 */
export const focusSearch = (): void => {
  const fields = [
    ...document.querySelectorAll<HTMLInputElement>('main input[type="search"]'),
  ].filter((field) => field.checkVisibility())
  const inView = fields.find((field) => {
    const { top, bottom } = field.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight
  })
  const field = inView ?? fields[0]
  field?.focus()
  field?.select()
}
