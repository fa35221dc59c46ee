import { listTransactions, transactionStatuses } from '@pool/contract/requests/transactions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { transactionFilters } from './transactionFilters.ts'
import { FIRST_PAGE, type Offered, queryOf, readAsked, readPlace, urlWith } from './urlState.ts'

const offered: Offered = {
  sorts: listTransactions.paged.sorts,
  filters: transactionFilters,
}

const NAME = 'transactions'
const urlOf = (values: Readonly<Record<string, string>>): URLSearchParams =>
  urlWith(new URLSearchParams(), NAME, values)
const queryAt = (values: Readonly<Record<string, string>>) =>
  queryOf(readAsked(urlOf(values), NAME, offered))

test("a query is read back in the reader's days", () => {
  const values = {
    search: 'ada',
    status: 'PENDING,APPROVED',
    type: 'deposit',
    network: 'Bitcoin,Solana',
    amountFrom: '1000',
    amountTo: '9.99',
    from: '2026-01-31',
    to: '2026-02-01',
    sort: 'amount',
    order: 'asc',
  }
  expect(queryAt(values)).toEqual({
    ...values,
    from: new Date(2026, 0, 31).toISOString(),
    to: new Date(2026, 1, 1, 23, 59, 59, 999).toISOString(),
  })
})

test('a bare URL means the first page of usual size', () => {
  expect(queryAt({})).toEqual({})
  expect(readPlace(urlOf({}), NAME)).toEqual({ cursor: undefined, skipped: 0, size: 50 })
})

test('changes touch one list, and empty values leave the URL', () => {
  const url = new URLSearchParams(
    'tab=transactions&transactions-search=ada&transactions-cursor=x&wallets-search=bc1',
  )
  const changed = urlWith(url, NAME, { search: '', status: 'PENDING', ...FIRST_PAGE })
  expect(changed.toString()).toBe('tab=transactions&wallets-search=bc1&transactions-status=PENDING')
})

describe('a list ignores', () => {
  test.each([
    ['sort', 'password'],
    ['sort', '__proto__'],
    ['order', 'up'],
    ['from', 'yesterday'],
    ['from', '2026-02-30'],
    ['from', '2026-1-1'],
    ['from', '-000001-01-01'],
    ['to', '2026-13-01'],
    ['to', "2026-01-01' OR 1=1"],
    ['to', '9999-99-99'],
    ['status', 'GONE'],
    ['status', ','],
    ['type', 'constructor'],
    ['network', 'Dogecoin'],
    ['amountFrom', '-1'],
    ['amountFrom', '1e3'],
    ['amountTo', '1.005'],
    ['amountTo', '100000000'],
    ['role', 'SUPER_ADMIN'],
    ['search', 'x'.repeat(201)],
    ['search', ' \u0000\n '],
    ['limit', '1000000'],
  ])('%s=%j', (key, value) => expect(queryAt({ [key]: value })).toEqual({}))

  test('unknown sizes and rows skipped without a cursor', () => {
    for (const size of ['0', '-1', '1000', '1e3', 'all', 'Infinity'])
      expect(readPlace(urlOf({ size }), NAME).size).toBe(50)
    for (const skipped of ['-50', 'NaN', '1.5', '1e9', '9'.repeat(10)])
      expect(readPlace(urlOf({ cursor: 'x', skipped }), NAME)).toMatchObject({
        cursor: 'x',
        skipped: 0,
      })
    expect(readPlace(urlOf({ skipped: '50' }), NAME).skipped).toBe(0)
    expect(readPlace(urlOf({ cursor: 'x'.repeat(2_001), skipped: '50' }), NAME)).toMatchObject({
      cursor: undefined,
      skipped: 0,
    })
  })
})

test('offered values stay once each and others go', () => {
  expect(queryAt({ status: 'PENDING,GONE,PENDING,APPROVED' })).toEqual({
    status: 'PENDING,APPROVED',
  })
})

test('the server accepts the query of any URL', () => {
  const day = fc
    .tuple(fc.nat(12_000), fc.nat(13), fc.nat(32))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join('-'))
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().split('T')[0] ?? ''),
    day,
    fc.constantFrom(
      '0000-01-01',
      '0001-01-01',
      '9999-12-31',
      ...offered.sorts,
      ...transactionStatuses,
      '0.01',
      '99999999.99',
      'asc',
      '__proto__',
      'toString',
    ),
  )
  const keys = fc.constantFrom(
    'search',
    'status',
    'type',
    'role',
    'network',
    'amountFrom',
    'amountTo',
    'from',
    'to',
    'sort',
    'order',
    'limit',
    'cursor',
  )
  fc.assert(
    fc.property(fc.dictionary(keys, hostile), (values) => {
      const read = listTransactions.query.safeParse(queryAt(values))
      expect(read.error?.issues ?? []).toEqual([])
    }),
    { numRuns: 500 },
  )
})
