/** Loading again what a change concerns: queries are told apart by the first word of their key. */
import type { QueryClient } from '@tanstack/react-query'
import { invalidateMoney } from './transactions.ts'

/** What money does not show in. */
const others: readonly unknown[] = ['session', 'networks', 'wallets', 'users', 'pauses', 'payout']

const concerns: Readonly<Record<string, (word: unknown) => boolean>> = {
  // Balances, figures, stories and lists of every kind follow from these two.
  transaction: (word) => word !== 'investments' && !others.includes(word),
  investment: (word) => word !== 'transactions' && !others.includes(word),
  wallet: (word) => word === 'wallets',
  user: (word) => word === 'users',
  pause: (word) => word === 'pauses',
}

/** How long, in milliseconds, changes are gathered, so that a burst of them makes one reload. */
const GATHERED_FOR = 250

/** Gathers what changed and then loads again what is on the screen and concerned by it. */
export const invalidator = (client: QueryClient) => {
  const nouns = new Set<string>()
  let all = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const reload = () => {
    timer = undefined
    const changed = [...nouns]
    if (all) void invalidateMoney(client)
    else
      void client.invalidateQueries({
        predicate: ({ queryKey: [word] }) => changed.some((noun) => concerns[noun]?.(word)),
      })
    nouns.clear()
    all = false
  }
  const soon = () => {
    timer ??= setTimeout(reload, GATHERED_FOR)
  }
  return {
    changed: (noun: string) => {
      nouns.add(noun)
      soon()
    },
    everything: () => {
      all = true
      soon()
    },
    stop: () => clearTimeout(timer),
  }
}
