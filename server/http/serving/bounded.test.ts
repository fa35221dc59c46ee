import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bounded } from './bounded.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a call without an answer is shared, and ends', async () => {
  const ask = vi.fn(() => new Promise<string>(() => undefined))
  const askOnce = bounded(ask)
  const ended = Promise.allSettled([askOnce(), askOnce()])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await ended).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  const later = askOnce().catch(() => 'ended')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await later).toBe('ended')
  expect(ask).toHaveBeenCalledTimes(1)
})

test('an answered call is asked anew', async () => {
  const ask = vi.fn(async () => 'up')
  const askOnce = bounded(ask)
  expect(await askOnce()).toBe('up')
  expect(await askOnce()).toBe('up')
  expect(ask).toHaveBeenCalledTimes(2)
})
