import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openBusyClock } from './busyClock.ts'
import { openLedger } from './ledger.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('works that overlap count once', async () => {
  const { during, ms } = openBusyClock()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const running = [during(() => first.promise)]
  vi.advanceTimersByTime(10)
  running.push(during(() => second.promise))
  vi.advanceTimersByTime(10)
  expect(ms()).toBe(20)
  first.reject(new Error('refused'))
  await expect(running[0]).rejects.toThrow('refused')
  vi.advanceTimersByTime(10)
  second.resolve()
  await running[1]
  vi.advanceTimersByTime(1_000)
  expect(ms()).toBe(30)
})

test('a ledger is busy while it posts', async () => {
  const posting = vi.fn(async () => {
    vi.advanceTimersByTime(7)
    return [{ refused: 'insufficientFunds', balance: '0' }] as never
  })
  const ledger = openLedger({} as never, { post: posting })
  expect(ledger.busyMs()).toBe(0)
  await expect(ledger.post({ movement: 'investment_opened' } as never)).rejects.toThrow()
  await ledger.drain()
  vi.advanceTimersByTime(1_000)
  expect([posting.mock.calls.length, ledger.busyMs()]).toEqual([1, 7])
})
