import { validate, version } from 'uuid'
import { expect, test, vi } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
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

test('the database makes such ids by its clock', async () => {
  const database = await testDatabase('owner')
  const { rows } = await database.pool.query<{ id: string; ms: number }>(
    'SELECT new_id() AS id, floor(extract(epoch FROM now()) * 1000)::float8 AS ms FROM generate_series(1, 100)',
  )
  await database.close()
  expect(new Set(rows.map(({ id }) => id)).size).toBe(100)
  for (const { id, ms } of rows) {
    expect([validate(id), version(id)]).toEqual([true, 7])
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(ms)
  }
})
