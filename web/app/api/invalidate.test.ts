import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { invalidator } from './invalidate.ts'

const keys = [
  ['session', 'ada'],
  ['networks'],
  ['wallets'],
  ['users'],
  ['transactions'],
  ['investments', 'ada'],
  ['balance', 'ada'],
  ['figures', 'ada'],
]

let client: QueryClient
let asked: string[]
beforeEach(async () => {
  vi.useFakeTimers()
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  asked = []
  for (const queryKey of keys) {
    const queryFn = async () => asked.push(queryKey[0] ?? '')
    new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined)
  }
  await vi.runAllTimersAsync()
  asked.length = 0
})
afterEach(() => {
  client.clear()
  vi.useRealTimers()
})

test.each([
  [['transaction'], ['balance', 'figures', 'transactions']],
  [['investment'], ['balance', 'figures', 'investments']],
  [
    ['transaction', 'investment', 'transaction'],
    ['balance', 'figures', 'investments', 'transactions'],
  ],
  [['wallet'], ['wallets']],
  [['user'], ['users']],
  [['something new'], []],
])('a burst of %j invalidates %j once', async (nouns, concerned) => {
  const invalidation = invalidator(client)
  for (let times = 0; times < 20; times += 1) for (const noun of nouns) invalidation.changed(noun)
  await vi.runAllTimersAsync()
  expect(asked.sort()).toEqual(concerned)
})

test('everything excludes the session and the networks', async () => {
  const invalidation = invalidator(client)
  invalidation.changed('wallet')
  invalidation.everything()
  await vi.runAllTimersAsync()
  expect(asked.sort()).toEqual([
    'balance',
    'figures',
    'investments',
    'transactions',
    'users',
    'wallets',
  ])
})

test('nothing is loaded after it was stopped', async () => {
  const invalidation = invalidator(client)
  invalidation.changed('transaction')
  invalidation.stop()
  await vi.runAllTimersAsync()
  expect(asked).toEqual([])
})
