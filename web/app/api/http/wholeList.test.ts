import { expect, test } from 'vitest'
import { pageOf } from './wholeList.ts'

const row = (id: string, amount: number | null, hour: number, differs = {}) => ({
  id,
  amount,
  createdAt: new Date(Date.UTC(2026, 0, 1, hour)),
  status: 'PENDING',
  username: 'ada@example.com',
  ...differs,
})
const rows = [
  row('a', 10, 1),
  row('b', 9, 3, { status: 'APPROVED' }),
  row('c', null, 2, { username: 'Grace@example.com' }),
  row('d', 100, 4),
]

const idsOf = (query: Record<string, string>, limit = 50, cursor?: string) => {
  const { rows: found, ...page } = pageOf(rows, { query, limit, cursor }, (each) => each)
  return { ids: found.map(({ id }) => id).join(''), ...page }
}

test('a whole list is paged newest first with its total', () => {
  expect(idsOf({}, 3)).toEqual({ ids: 'dbc', total: 4, next: '3' })
  expect(idsOf({}, 3, '3')).toEqual({ ids: 'a', total: 4, next: null })
  expect(idsOf({}, 0)).toEqual({ ids: '', total: 4, next: null })
})

test('sorting compares figures and puts missing ones last', () => {
  expect(idsOf({ sort: 'amount', order: 'asc' }).ids).toBe('badc')
  expect(idsOf({ sort: 'amount', order: 'desc' }).ids).toBe('dabc')
})

test('filters and searches apply as asked', () => {
  expect(idsOf({ status: 'APPROVED,REJECTED' }).ids).toBe('b')
  expect(idsOf({ search: 'GRACE' }).ids).toBe('c')
  expect(idsOf({ amountFrom: '9.5' }).ids).toBe('da')
  expect(idsOf({ amountFrom: '9', amountTo: '10' }).ids).toBe('ba')
  expect(idsOf({ from: '2026-01-01T02:00:00.000Z', to: '2026-01-01T03:00:00.000Z' }).ids).toBe('bc')
})

test('an unknown cursor leads to the first page', () => {
  for (const cursor of ['eyJpZCI6MX0', '-1', '']) expect(idsOf({}, 2, cursor).ids).toBe('db')
})
