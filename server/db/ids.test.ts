import { validate, version } from 'uuid'
import { expect, test, vi } from 'vitest'
import { newId } from './ids.ts'

test('ids are unique and sort by creation', () => {
  const ids = Array.from({ length: 10_000 }, newId)
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual(ids)
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
})

test('a clock set back keeps ids in order', () => {
  const before = newId()
  vi.useFakeTimers({ now: Date.now() - 86_400_000 })
  try {
    expect(newId() > before).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

test('ids of different moments share no random part', () => {
  const [first = '', second = ''] = [newId(), newId()]
  expect(first.slice(-10)).not.toBe(second.slice(-10))
})
