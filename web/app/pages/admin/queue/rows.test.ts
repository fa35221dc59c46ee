import { expect, test } from 'vitest'
import { joined, nextOf, type QueueList, type QueueRow } from './rows.ts'

const row = <Subject>(id: string, minute: number, subject: Subject): QueueRow<Subject> => ({
  id,
  since: new Date(Date.UTC(2026, 0, 1, 0, minute)),
  subject,
  waitsForMe: true,
  isReady: false,
  isFlagged: false,
})

const listOf = <Subject>(
  rows: readonly QueueRow<Subject>[],
  more: Partial<QueueList<Subject>> = {},
): QueueList<Subject> => ({
  rows,
  total: rows.length,
  news: 0,
  showNews: () => undefined,
  isKnown: true,
  failed: false,
  retrying: false,
  retry: () => undefined,
  canShowMore: false,
  showMore: () => undefined,
  recordOutcome: () => undefined,
  ...more,
})

type Request = { readonly amount: number }
type Proposal = { readonly verb: string }
const requests = (more: Partial<QueueList<Request | Proposal>> = {}) =>
  listOf<Request | Proposal>([row('a', 1, { amount: 5 }), row('c', 3, { amount: 7 })], more)
const proposals = (more: Partial<QueueList<Request | Proposal>> = {}) =>
  listOf<Request | Proposal>([row('b', 2, { verb: 'suspend' })], more)

test('two kinds of rows stand in one list, oldest first', () => {
  const queue = joined([requests({ total: 9, news: 2 }), proposals({ news: 1 })])
  expect(queue.rows.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect([queue.total, queue.news]).toEqual([10, 3])
})

test('one kind that loads or fails marks the queue', () => {
  const loading = joined([requests(), proposals({ isKnown: false })])
  expect(loading).toMatchObject({ isKnown: false, rows: [] })
  expect(joined([requests(), proposals({ failed: true })]).failed).toBe(true)
  expect(joined([requests(), proposals()])).toMatchObject({ isKnown: true, failed: false })
})

test('only lists that failed or have more load again', () => {
  const loaded: string[] = []
  const queue = joined([
    requests({ failed: true, retry: () => loaded.push('retried requests') }),
    proposals({ retry: () => loaded.push('retried proposals') }),
    proposals({ canShowMore: true, showMore: () => loaded.push('more proposals') }),
  ])
  queue.retry()
  queue.showMore()
  expect(loaded).toEqual(['retried requests', 'more proposals'])
})

test('an outcome is recorded in the list of its row', () => {
  const recorded: string[] = []
  const into = (name: string) => (id: string, status: string) =>
    void recorded.push(`${name} ${id} ${status}`)
  joined([
    requests({ recordOutcome: into('requests') }),
    proposals({ recordOutcome: into('proposals') }),
  ]).recordOutcome('b', 'REJECTED')
  expect(recorded).toEqual(['proposals b REJECTED'])
})

test.each<[string, string | null, readonly string[], string | undefined]>([
  ['the first of all without an open one', null, [], 'a'],
  ['the one after the open one', 'a', [], 'b'],
  ['one further on past a decided one', 'a', ['b'], 'c'],
  ['the first again after the last', 'c', [], 'a'],
  ['none when no other waits', 'b', ['a', 'c'], undefined],
])('the next row is %s', (_, open, decided, next) => {
  const { rows } = joined([requests(), proposals()])
  const now = rows.map((each) => ({ ...each, waitsForMe: !decided.includes(each.id) }))
  expect(nextOf(now, open)?.id).toBe(next)
})
