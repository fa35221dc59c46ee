import { useEffect, useRef, useSyncExternalStore } from 'react'
import { stored } from '../../storage.ts'

/** A key of a screen, with its label and its action. */
export type Shortcut = { readonly key: string; readonly label: string; readonly run: () => void }

const KEY = 'shortcuts'
const watchers = new Set<() => void>()

const readOn = (): boolean => stored.read(KEY) !== 'off'

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/**
 * Single keys can be turned off for dictation and typing difficulties (WCAG 2.1.4). Storage
 * remembers it, else the page.
 */
export const useShortcutsOn = (): boolean => useSyncExternalStore(watch, readOn, () => true)

export const setShortcutsOn = (on: boolean): void => {
  stored.write(KEY, on ? 'on' : 'off')
  for (const watcher of watchers) watcher()
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'))

/** True for a key that is a command: no typing, no modifier, no open dialog. */
export const isMeantForUs = (event: KeyboardEvent): boolean =>
  !(
    event.defaultPrevented ||
    event.repeat ||
    event.isComposing ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey
  ) &&
  !isTyping(event.target) &&
  ![...document.querySelectorAll('[role="dialog"], dialog')].some((dialog) =>
    dialog.checkVisibility(),
  )

/** Listens for the shortcuts, except during typing, with a modifier or in a dialog. */
export const useShortcuts = (shortcuts: readonly Shortcut[]): void => {
  const on = useShortcutsOn()
  const current = useRef(shortcuts)
  current.current = shortcuts
  useEffect(() => {
    if (!on) return
    const onKey = (event: KeyboardEvent) => {
      const pressed = isMeantForUs(event) && current.current.find(({ key }) => key === event.key)
      if (!pressed) return
      event.preventDefault()
      pressed.run()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [on])
}

/** Focuses the search field in view, else the first of the page. */
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
