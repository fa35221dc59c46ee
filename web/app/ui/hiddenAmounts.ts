import { formatDollars } from '@pool/contract/money'
import { useSyncExternalStore } from 'react'

/**
 * Whether amounts are hidden from whoever looks over the shoulder: a choice of this browser, kept
 * beyond the session.
 */
const KEY = 'amountsHidden'

/** What stands for an amount that is hidden. */
export const HIDDEN_AMOUNT = '•••••'

const recall = (): boolean => {
  try {
    return window.localStorage.getItem(KEY) === 'true'
  } catch {
    return false
  }
}

let hidden: boolean | null = null
const isHidden = (): boolean => {
  hidden ??= recall()
  return hidden
}

const watchers = new Set<() => void>()

const become = (next: boolean): void => {
  hidden = next
  for (const watcher of watchers) watcher()
}

const followOtherTabs = ({ key }: StorageEvent): void => {
  if (key === KEY) become(recall())
}

/** Many amounts watch at a time; one of them, the first, listens for all. */
const subscribe = (watcher: () => void): (() => void) => {
  if (watchers.size === 0) window.addEventListener('storage', followOtherTabs)
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
    if (watchers.size === 0) window.removeEventListener('storage', followOtherTabs)
  }
}

export const useAmountsHidden = (): boolean =>
  useSyncExternalStore(subscribe, isHidden, () => false)

/**
 * Hides amounts, or shows them again; where the browser refuses storage, until the page is left.
 */
export const toggleAmounts = (): void => {
  const next = !isHidden()
  try {
    window.localStorage.setItem(KEY, String(next))
  } catch {
    // Kept in memory all the same.
  }
  become(next)
}

/** Dollars in a text that is said once, as amounts are to be shown at this moment. */
export const dollarText = (dollars: number): string =>
  isHidden() ? HIDDEN_AMOUNT : formatDollars(dollars)

/** Writes dollars where only text can stand; in an element, use Money. */
export const useDollarText = (): ((dollars: number) => string) =>
  useAmountsHidden() ? () => HIDDEN_AMOUNT : formatDollars
