import { expect, test } from 'vitest'
import { shareEqual } from './sharing.ts'

const answer = () => ({
  rows: [
    { id: 'a', amount: 1, at: new Date(1_000), note: null, more: undefined },
    { id: 'b', amount: 2, at: new Date(2_000), note: 'x', more: [1, 2] },
  ],
  total: 2,
})

test('an equal response is replaced by the earlier one', () => {
  const before = answer()
  expect(shareEqual(before, answer())).toBe(before)
})

test.each<[string, (now: ReturnType<typeof answer>) => void]>([
  ['another amount', ({ rows }) => Object.assign(rows[1] ?? {}, { amount: 3 })],
  ['another date', ({ rows }) => Object.assign(rows[1] ?? {}, { at: new Date(2_001) })],
  [
    'a date that is no date',
    ({ rows }) => Object.assign(rows[1] ?? {}, { at: new Date(Number.NaN) }),
  ],
  ['a note that is gone', ({ rows }) => Object.assign(rows[1] ?? {}, { note: null })],
  ['a list that is shorter', ({ rows }) => Object.assign(rows[1] ?? {}, { more: [1] })],
  [
    'a list in place of an object',
    ({ rows }) => Object.assign(rows[1] ?? {}, { more: { 0: 1, 1: 2 } }),
  ],
  ['a field more', ({ rows }) => Object.assign(rows[1] ?? {}, { extra: undefined })],
  ['a field less', ({ rows }) => Reflect.deleteProperty(rows[1] ?? {}, 'more')],
])('%s renews only the parts around it', (_, change) => {
  const before = answer()
  const now = answer()
  change(now)
  const shared = shareEqual(before, now) as typeof before
  expect(shared).toStrictEqual(now)
  expect(shared).not.toBe(before)
  expect(shared.rows[1]).not.toBe(before.rows[1])
  expect(shared.rows[0]).toBe(before.rows[0])
})

test('new rows and empty responses are taken as given', () => {
  const before = answer()
  const now = answer()
  now.rows.unshift({ ...(now.rows[0] as (typeof now.rows)[number]), id: 'new' })
  expect(shareEqual(before, now)).toStrictEqual(now)
  expect(shareEqual(undefined, now)).toBe(now)
  expect(shareEqual(before, null)).toBe(null)
})
