/** Invalidates the queries that a change concerns, by the first word of their key. */
import type { QueryClient } from '@tanstack/react-query'
import { invalidateMoney } from './requests/transactions.ts'

/** Queries without money in them. */
const others: readonly unknown[] = [
  'session',
  'networks',
  'wallets',
  'stock',
  'waiting',
  'users',
  'pauses',
  'payoutAddress',
  'sessions',
  'noticeMails',
]

const concerns: Readonly<Record<string, (word: unknown) => boolean>> = {
  // Balances, figures, stories and lists depend on these two.
  transaction: (word) => word !== 'investments' && !others.includes(word),
  investment: (word) => word !== 'transactions' && !others.includes(word),
  wallet: (word) =>
    word === 'wallets' || word === 'stock' || word === 'waiting' || word === 'counts',
  user: (word) => word === 'users',
  pause: (word) =>
    word === 'pauses' || word === 'notices' || word === 'losses' || word === 'windDown',
  session: (word) => word === 'sessions',
  notice: (word) => word === 'notices',
  // The look-up of the session tells what is owed.
  claim: (word) => word === 'session' || word === 'claims',
  loan: (word) =>
    word === 'loans' ||
    word === 'borrowers' ||
    word === 'waiting' ||
    word === 'proposals' ||
    word === 'counts',
  reconciliation: (word) => word === 'reconciliation' || word === 'pauses' || word === 'counts',
  batch: (word) => word === 'batches' || word === 'transactions' || word === 'counts',
  payment: (word) => word === 'stories' || word === 'chainPayments',
}

/** One batch covers a burst of changes. */
const BATCH_MS = 250

/** Collects changes and invalidates their queries in batches. */
export const invalidator = (client: QueryClient) => {
  const nouns = new Set<string>()
  let all = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const invalidate = () => {
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
    timer ??= setTimeout(invalidate, BATCH_MS)
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
