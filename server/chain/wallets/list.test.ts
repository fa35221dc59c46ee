import { createHash } from 'node:crypto'
import { health } from '@pool/contract/base/health'
import type { NetworkName } from '@pool/contract/base/networks'
import {
  type BadLine,
  createWallet,
  createWallets,
  listWallets,
  WALLETS_AT_ONCE,
} from '@pool/contract/chain/wallets'
import { deposit } from '@pool/contract/requests/requests'
import { beforeAll, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { addOwn } from '../../testing/ownCoins.ts'
import { type Person, person, testProduct } from '../../testing/product.ts'

const product = testProduct()
let admin: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
})

const addresses = (count: number, network: NetworkName = 'Bitcoin') =>
  Array.from({ length: count }, () => newAddress(network))
const add = (payload: object) => product.call(createWallets, { token: admin.token, payload })
const counted = async (query: Record<string, string> = {}): Promise<number> =>
  (await product.call(listWallets, { token: admin.token, query: { limit: '0', ...query } })).page
    ?.total ?? Number.NaN
const linesOf = ({ body }: { body: unknown }) =>
  (body as { details: { lines: readonly BadLine[] } }).details.lines

test('10,000 addresses are added in their order', async () => {
  const list = addresses(WALLETS_AT_ONCE)
  const before = await counted()
  const started = performance.now()
  expect(await add({ networkName: 'bitcoin', addresses: list })).toMatchObject({
    status: 200,
    body: { networkName: 'Bitcoin', added: WALLETS_AT_ONCE, assigned: 0 },
  })
  process.stdout.write(`10,000 addresses took ${Math.round(performance.now() - started)} ms\n`)
  expect(await counted()).toBe(before + WALLETS_AT_ONCE)
  const investor = await person(product)
  const given = await product.call(deposit, {
    token: investor.token,
    payload: { userId: investor.id, amount: 10 },
  })
  expect(given.body).toMatchObject({ address: list[0] })

  const { rows } = await product.database.pool.query(
    "SELECT actor, after FROM audit_entries WHERE action = 'wallet.listAdded'",
  )
  const sha256 = createHash('sha256').update(list.join('\n')).digest('hex')
  expect(rows).toEqual([
    {
      actor: admin.email,
      after: {
        networkName: 'Bitcoin',
        count: WALLETS_AT_ONCE,
        first: list[0],
        last: list.at(-1),
        sha256,
      },
    },
  ])
  await expectWhole(product)

  // A repeat, as after a lost answer, changes nothing and says so.
  expect(await add({ networkName: 'Bitcoin', addresses: list })).toMatchObject({
    status: 409,
    narration: 'All of these addresses are already in the pool on Bitcoin. Nothing was added.',
  })
  expect(await counted()).toBe(before + WALLETS_AT_ONCE)
})

test('every line at fault is named, and nothing added', async () => {
  const [first = '', ...others] = addresses(5)
  const known = newAddress()
  await product.call(createWallet, {
    token: admin.token,
    payload: { address: known, networkName: 'Bitcoin' },
  })
  const before = await counted()
  const answer = await add({
    networkName: 'Bitcoin',
    addresses: [
      first,
      'nonsense',
      ` ${first.toUpperCase()} `,
      ...others,
      newAddress('Ethereum'),
      known.toUpperCase(),
      '',
      '1'.repeat(900_000),
      `${first.slice(0, -1)}${first.endsWith('q') ? 'p' : 'q'}`,
    ],
  })
  expect(answer).toMatchObject({
    status: 409,
    narration: '7 of 12 addresses cannot be added on Bitcoin. Nothing was added.',
  })
  expect(linesOf(answer)).toEqual([
    { line: 2, problem: 'invalid' },
    { line: 3, problem: 'repeated', sameAs: 1 },
    { line: 8, problem: 'invalid' },
    { line: 9, problem: 'exists' },
    { line: 10, problem: 'invalid' },
    { line: 11, problem: 'invalid' },
    { line: 12, problem: 'invalid' },
  ])
  expect(await counted()).toBe(before)
})

test('an own address of the pool is named', async () => {
  const [first = '', own = '', last = ''] = addresses(3, 'Ethereum')
  await addOwn(product.database, 'Ethereum', own)
  const before = await counted()
  const answer = await add({ networkName: 'Ethereum', addresses: [first, own.toLowerCase(), last] })
  expect(answer.status).toBe(409)
  expect(linesOf(answer)).toEqual([{ line: 2, problem: 'own' }])
  expect(await counted()).toBe(before)
})

test('one bad line of 10,000 leaves nothing behind', async () => {
  const list = addresses(WALLETS_AT_ONCE, 'Polygon')
  list[9_998] = 'nonsense'
  const before = await counted()
  const answer = await add({ networkName: 'Polygon', addresses: list })
  expect(linesOf(answer)).toEqual([{ line: 9_999, problem: 'invalid' }])
  expect(await counted()).toBe(before)
})

test('more than 10,000 addresses, or none, are refused', async () => {
  expect(await add({ networkName: 'Bitcoin', addresses: Array(10_001).fill('x') })).toMatchObject({
    status: 400,
    narration: 'At most 10,000 addresses can be added at once',
  })
  expect(await add({ networkName: 'Bitcoin', addresses: [] })).toMatchObject({
    status: 400,
    narration: 'Please give at least one address',
  })
  expect(await add({ networkName: 'Bitcoin', addresses: ['x'.repeat(2_000_000)] })).toMatchObject({
    status: 413,
  })
  expect(await add({ networkName: 'Dogecoin', addresses: ['x'] })).toMatchObject({
    body: { code: 'unknownNetwork' },
  })
})

test('an address of an investor goes to them', async () => {
  const investor = await person(product)
  const [first, other, another] = addresses(3, 'Ethereum')
  const askOn = (networkName: string) =>
    product.call(deposit, {
      token: investor.token,
      payload: { userId: investor.id, amount: 10, networkName },
    })
  await add({ networkName: 'Ethereum', addresses: [first] })
  await askOn('Ethereum')
  await add({ networkName: 'Polygon', addresses: [other] })
  await askOn('Polygon')
  expect(
    await add({ networkName: 'Binance Smart Chain', addresses: [another, first] }),
  ).toMatchObject({ body: { added: 2, assigned: 1 } })
  // The investor would have two addresses on one network.
  expect(linesOf(await add({ networkName: 'Polygon', addresses: [another, first] }))).toEqual([
    { line: 2, problem: 'ownerHasWallet' },
  ])
  expect(linesOf(await add({ networkName: 'Binance Smart Chain', addresses: [other] }))).toEqual([
    { line: 1, problem: 'ownerHasWallet' },
  ])
})

test('two addresses of one investor are not both added', async () => {
  const investor = await person(product)
  const [first, other] = addresses(2, 'Ethereum')
  for (const [networkName, address] of [
    ['Ethereum', first],
    ['Polygon', other],
  ]) {
    await add({ networkName, addresses: [address] })
    await product.database.superuser.query('UPDATE wallets SET owner_id = $1 WHERE address = $2', [
      investor.id,
      address,
    ])
  }
  const answer = await add({ networkName: 'Binance Smart Chain', addresses: [first, other] })
  expect(linesOf(answer)).toEqual([{ line: 2, problem: 'ownerHasWallet' }])
})

test('the same list at once is added once', async () => {
  const list = addresses(200, 'Polygon')
  const before = await counted()
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => add({ networkName: 'Polygon', addresses: list })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  for (const answer of answers.filter(({ status }) => status === 409))
    expect(linesOf(answer)).toHaveLength(200)
  expect(await counted()).toBe(before + 200)
})

test('other requests are answered while a list is checked', async () => {
  // A Solana address takes longest, about a millisecond.
  const list = addresses(1_000, 'Solana')
  let isDone = false
  const adding = add({ networkName: 'Solana', addresses: list }).finally(() => {
    isDone = true
  })
  let answered = 0
  while (!isDone) {
    await product.app.inject({ url: health.path })
    answered += 1
  }
  expect((await adding).status).toBe(200)
  expect(answered).toBeGreaterThan(20)
})

test('a revoked session adds nothing', async () => {
  const former = await person(product, ['ADMIN'])
  const before = await counted()
  await product.database.superuser.query('DELETE FROM sessions WHERE user_id = $1', [former.id])
  const payload = { networkName: 'Bitcoin', addresses: addresses(1) }
  expect(await product.call(createWallets, { token: former.token, payload })).toMatchObject({
    status: 401,
  })
  expect(await counted()).toBe(before)
})
