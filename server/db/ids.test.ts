import { validate, version } from 'uuid'
import { expect, test, vi } from 'vitest'
import { newId } from './ids.ts'

test('ids are different, and sort in the order in which they were made', () => {
  const ids = Array.from({ length: 10_000 }, newId)
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual(ids)
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
})

test('a clock that is set back does not put new ids before old ones', () => {
  const before = newId()
  vi.useFakeTimers({ now: Date.now() - 86_400_000 })
  try {
    expect(newId() > before).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

test('ids of another moment share no random part', () => {
  const [first = '', second = ''] = [newId(), newId()]
  expect(first.slice(-10)).not.toBe(second.slice(-10))
})
