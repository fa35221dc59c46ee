import { describe, expect, test } from 'vitest'
import { readLogin, readUser } from '../accounts/users.ts'
import { readNetworks, readWallet } from '../chain/wallets.ts'
import { readAdminInvestment, readOwnInvestment } from '../money/investments.ts'
import { readTransaction } from '../requests/transactions.ts'
import { asMoment, asNumber, asText, isDay, list, oneOf, or, record } from './reading.ts'

const iso = (value: unknown) => asMoment(value)?.toISOString()

describe('moments', () => {
  test.each([
    [[2024, 2, 29], '2024-02-29T00:00:00.000Z'],
    [[2024, 2, 29, 13], '2024-02-29T13:00:00.000Z'],
    [[2024, 2, 29, 13, 5], '2024-02-29T13:05:00.000Z'],
    [[2024, 2, 29, 13, 5, 59], '2024-02-29T13:05:59.000Z'],
    [[2024, 2, 29, 13, 5, 59, 123_456_789], '2024-02-29T13:05:59.123Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29T13:05:59.123Z', '2024-02-29T13:05:59.123Z'],
    ['2024-02-29T13:05:59', '2024-02-29T13:05:59.000Z'],
    ['2024-02-29T13:05:59+02:00', '2024-02-29T11:05:59.000Z'],
    [1_709_211_959, '2024-02-29T13:05:59.000Z'],
    [1_709_211_959_123, '2024-02-29T13:05:59.123Z'],
    ['1709211959123', '2024-02-29T13:05:59.123Z'],
  ])('%j is %s', (value, expected) => expect(iso(value)).toBe(expected))

  test.each([
    [null],
    [undefined],
    [''],
    ['soon'],
    [[2024, 2]],
    [[2023, 2, 29]],
    [[2024, 13, 1]],
    [[2024, 1, 1, 0, 0, 0, 0, 0]],
    [[2024, '1', 1]],
    [Number.NaN],
    [{}],
  ])('%j is no moment', (value) => expect(asMoment(value)).toBeNull())

  test('three numbers or a bare date are a day', () => {
    expect([
      isDay([2024, 2, 29]),
      isDay('2024-02-29'),
      isDay([2024, 2, 29, 1]),
      isDay('2024-02-29T00:00:00Z'),
      isDay(undefined),
    ]).toEqual([true, true, false, false, false])
  })
})

test.each([
  [12.5, 12.5],
  ['12.50', 12.5],
  [0, 0],
  ['', null],
  [null, null],
  ['twelve', null],
  [Number.POSITIVE_INFINITY, null],
  [{}, null],
])('%j is %j dollars', (value, dollars) => expect(asNumber(value)).toBe(dollars))

describe('records', () => {
  const read = record({
    name: or(asText, 'nobody'),
    state: oneOf(['on', 'off']),
    total: (_, { count }) => asNumber(count),
  })

  test('each field is read by its leaf', () => {
    expect(read({ name: 'Ada', state: 'off', count: '3', more: 1 })).toEqual({
      name: 'Ada',
      state: 'off',
      total: 3,
    })
    expect(read({ state: 'up' })).toEqual({ name: 'nobody', state: null, total: null })
  })

  test('a list skips everything but records', () => {
    expect(list(read)([{ name: 'Ada' }, null, 7])).toHaveLength(1)
    expect(list(read)('down')).toEqual([])
  })
})

describe('transactions', () => {
  test('type, status and id are read with their defaults', () => {
    expect(readTransaction({ transactionId: 7 })).toMatchObject({
      id: '7',
      type: 'deposit',
      status: 'PENDING',
      username: null,
      amount: null,
      createdAt: null,
    })
    expect(
      readTransaction({ id: 'a', transactionId: 'b', type: 'WITHDRAWAL', status: 'Odd' }),
    ).toMatchObject({
      id: 'a',
      type: 'withdrawal',
      status: 'Odd',
    })
  })
})

describe('investments', () => {
  test('the interest of the admin list wins over the returnAmount', () => {
    const row = readAdminInvestment({
      investmentId: 'i',
      amount: 100,
      interest: 4,
      returnAmount: 9,
      maturityDate: [2024, 3, 1],
    })
    expect(row).toMatchObject({
      id: 'i',
      amount: 100,
      interest: 4,
      status: 'ACTIVE',
      maturityIsDay: true,
    })
  })

  test('an own investment falls back to returnAmount and PENDING', () => {
    expect(readOwnInvestment({ returnAmount: 5 })).toMatchObject({
      interest: 5,
      status: 'PENDING',
      maturityDate: null,
    })
  })
})

describe('login responses', () => {
  const expected = { token: 't', userId: 'u', username: 'ann@example.com', role: 'client' }
  const rest = { userId: 'u', username: 'ann@example.com' }
  test.each([
    ['a string', { token: 't', ...rest }],
    ['an object', { token: { access: 't', ...rest } }],
    ['an object beside the user', { token: { access: 't' }, ...rest }],
    ['access', { access: 't', ...rest }],
    ['accessToken', { accessToken: 't', ...rest }],
  ])('the token is read as %s', (_, body) =>
    expect(readLogin(body, 'typed@example.com')).toEqual(expected),
  )

  test.each([
    [[{ type: 'USER' }, { type: 'ADMIN' }, { type: 'SUPER_ADMIN' }], 'SUPER_ADMIN'],
    [[{ type: 'ADMIN' }, { type: 'USER' }], 'admin'],
    [['ADMIN'], 'admin'],
    [[{ type: 'USER' }], 'client'],
    [[], 'client'],
    [undefined, 'client'],
  ])('the roles %j make a %s', (roles, role) =>
    expect(readLogin({ token: 't', ...rest, roles }, '').role).toBe(role),
  )

  test.each([[null], [{}], [{ token: '', userId: 'u' }], ['t']])('%j holds no token', (body) =>
    expect(readLogin(body, 'x').token).toBeNull(),
  )

  test.each([[{ token: 't' }], [{ token: { access: 't' } }], [{ accessToken: 't', userId: '' }]])(
    '%j holds no user id',
    (body) => expect(readLogin(body, 'x')).toMatchObject({ token: 't', userId: null }),
  )

  test('a numeric id and a missing username are accepted', () => {
    expect(readLogin({ token: 't', userId: 5 }, 'typed@example.com')).toMatchObject({
      userId: '5',
      username: 'typed@example.com',
    })
  })
})

test('a user without details is shown by username', () => {
  expect(
    readUser({
      id: 'u',
      username: 'ann@example.com',
      roles: [{ type: 'ADMIN' }],
      dateCreated: [2024, 1, 2],
    }),
  ).toMatchObject({
    email: 'ann@example.com',
    firstName: '',
    role: 'admin',
  })
})

test('only the value true makes a wallet assigned', () => {
  expect([
    readWallet({ assigned: true }).assigned,
    readWallet({ assigned: 'yes' }).assigned,
    readWallet({}).assigned,
  ]).toEqual([true, false, false])
})

test('networks without a name are left out', () => {
  expect(readNetworks([{ name: 'Bitcoin' }, { symbol: 'X' }, null])).toEqual([
    { name: 'Bitcoin', symbol: '', displayName: 'Bitcoin' },
  ])
  expect(readNetworks('down')).toEqual([])
})
