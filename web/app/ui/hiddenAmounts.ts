import { formatDollars } from '@pool/contract/base/money'
import { useSyncExternalStore } from 'react'
import { stored } from '../storage.ts'

/** A choice of this browser, kept beyond the session: hides amounts from onlookers. */
const KEY = 'amountsHidden'

/** Replaces a hidden amount. */
export const HIDDEN_AMOUNT = '•••••'

const recall = (): boolean => stored.read(KEY) === 'true'

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

/** Many amounts subscribe; the first listens for all. */
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

/** Hides or shows amounts. Without storage the choice ends with the page. */
export const toggleAmounts = (): void => {
  const next = !isHidden()
  stored.write(KEY, String(next))
  become(next)
}

/** Dollars in a text that is said once, hidden by the present choice. */
export const dollarText = (dollars: number): string =>
  isHidden() ? HIDDEN_AMOUNT : formatDollars(dollars)

/** Formats dollars for plain text; elements use Money. */
export const useDollarText = (): ((dollars: number) => string) =>
  useAmountsHidden() ? () => HIDDEN_AMOUNT : formatDollars
