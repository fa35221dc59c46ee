import { cents, OPEN_DEPOSITS_LIMIT } from '@pool/contract/base/money'
import { type NetworkName, networks } from '@pool/contract/base/networks'
import { listWallets } from '@pool/contract/chain/wallets'
import { confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { LIVE } from '../../testing/live.ts'
import {
  fund,
  type Person,
  type Product,
  person,
  rewoundProduct,
  secondProcess,
  startProduct,
  wallets,
} from '../../testing/product.ts'
import { addWallet } from './addWallet.ts'
import { forgetAssignments } from './forgetAssignments.ts'

/** Strangers can neither take every deposit wallet nor fill the list of pending deposits. */

const LIVE_BEHIND_PROXY = {
  ...LIVE,
  TRUST_PROXY: 'loopback',
  ALLOW_PLAIN_HTTP_IN_LIVE: 'true',
}

const shared = rewoundProduct(LIVE_BEHIND_PROXY)
let product: Product
let apps: FastifyInstance[]
afterEach(async () => {
  await Promise.all(apps.slice(1).map((app) => app.close()))
  if (product !== shared) await product.close()
})

/** A pool with this many free wallets, served by two processes. */
const poolWith = async (stock: number, environment?: Record<string, string>) => {
  product = environment === undefined ? shared : await startProduct(environment)
  const second = await secondProcess(product)
  apps = [product.app, second]
  await wallets(product, stock)
}
const people = (count: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, () => person(product)))

type DepositRequest = {
  readonly from?: string
  readonly key?: string
  readonly app?: FastifyInstance | undefined
  readonly networkName?: string
}

const ask = async (
  { id, token }: Person,
  { from = '203.0.113.1', key, app = product.app, networkName }: DepositRequest = {},
) => {
  const answer = await app.inject({
    method: 'POST',
    url: deposit.path,
    headers: {
      authorization: `Bearer ${token}`,
      'x-forwarded-for': from,
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    payload: { userId: id, amount: 0.01, networkName },
  })
  const { narration, body } = answer.json<{
    narration: string
    body: { code?: string; address?: string }
  }>()
  return { status: answer.statusCode, narration, ...body }
}
type Answered = Awaited<ReturnType<typeof ask>>

/** The number of each outcome: `200`, or the code of a refusal. */
const outcomes = (answers: readonly Answered[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status, code = String(status) } of answers) counts[code] = (counts[code] ?? 0) + 1
  return counts
}
const sequentially = async (
  askers: readonly Person[],
  how: (n: number) => DepositRequest = () => ({}),
): Promise<Answered[]> => {
  const answers: Answered[] = []
  for (const [n, asker] of askers.entries()) answers.push(await ask(asker, how(n)))
  return answers
}
const atOnce = (askers: readonly Person[], from: (n: number) => string): Promise<Answered[]> =>
  Promise.all(askers.map((asker, n) => ask(asker, { from: from(n), app: apps[n % 2] })))
const available = async (): Promise<number> => {
  const { token } = await person(product, ['ADMIN'])
  return (
    (await product.call(listWallets, { token, query: { status: 'available', limit: '0' } })).page
      ?.total ?? Number.NaN
  )
}
const letTimePass = (interval: string) =>
  product.database.superuser.query(
    'UPDATE wallet_assignments SET assigned_at = assigned_at - $1::interval',
    [interval],
  )

test('six accounts at one IP take half of six wallets', async () => {
  await poolWith(6)
  const hostile = await people(6)
  expect(outcomes(await sequentially(hostile))).toEqual({ 200: 3, walletsInDemand: 3 })
  expect(await available()).toBe(3)
  const [newcomer] = await people(1)
  expect(await ask(newcomer as Person, { from: '198.51.100.7' })).toMatchObject({
    status: 200,
    address: expect.any(String),
  })
  // Investors with a wallet are not limited.
  expect(outcomes(await sequentially(hostile))).toEqual({ 200: 3, walletsInDemand: 3 })
})

test('a network without wallets takes nobody else’s place', async () => {
  await poolWith(6)
  const [hostile, newcomer] = (await people(2)) as [Person, Person]
  const solana = { networkName: 'Solana' }
  expect(outcomes(await sequentially(Array(9).fill(hostile), () => solana))).toEqual({
    noWalletOnNetwork: 9,
  })
  expect(await ask(newcomer)).toMatchObject({ status: 200 })
})

/** Adds a wallet that counts at once. */
const stock = (networkName: NetworkName, address = newAddress(networkName)) =>
  addWallet(product.context, { address, networkName }, { name: 'tests', from: 'tests' })

test('every new wallet of an account counts', async () => {
  await poolWith(2)
  for (const { name } of networks) for (let count = 0; count < 2; count += 1) await stock(name)
  const [hostile, newcomer] = (await people(2)) as [Person, Person]
  const each = networks.map(({ name }) => name)
  const drain = () =>
    sequentially(Array(each.length).fill(hostile), (n) => ({ networkName: each[n] ?? '' }))
  expect(outcomes(await drain())).toEqual({ 200: 5 })
  expect(await ask(newcomer)).toMatchObject({ code: 'tooManyNewWallets' })
  expect(await ask(newcomer, { from: '198.51.100.7' })).toMatchObject({ status: 200 })
  // Networks with a wallet are not limited.
  expect(outcomes(await drain())).toEqual({ 200: 5 })
})

test('an account cannot take each network at any pace', async () => {
  await poolWith(0, { ...LIVE, NEW_WALLETS_PER_IP: '2' })
  for (const { name } of networks) await stock(name)
  const [hostile] = (await people(1)) as [Person]
  const answers = await Promise.all(
    networks.map(({ name }, n) => ask(hostile, { networkName: name, app: apps[n % 2] })),
  )
  expect(outcomes(answers)).toEqual({ 200: 2, tooManyNewWallets: 3 })
  expect(await available()).toBe(3)
  // The default network is one of theirs, so it never waits.
  expect(await ask(hostile)).toMatchObject({ status: 200 })
})

test('the networks of one address count as one wallet', async () => {
  await poolWith(0)
  const addresses = Array.from({ length: 6 }, () => newAddress('Ethereum'))
  for (const address of addresses)
    for (const network of ['Ethereum', 'Polygon', 'Binance Smart Chain'] as const)
      await stock(network, address)
  // Half of six addresses, as of six wallets.
  expect(outcomes(await sequentially(await people(6)))).toEqual({ 200: 3, walletsInDemand: 3 })
  expect(await available()).toBe(9)
})

test('a hundred accounts at ten IPs leave a wallet', async () => {
  await poolWith(40)
  const from = (n: number) => `203.0.113.${n % 10}`
  const answers = await atOnce(await people(100), from)
  const given = Array.from(
    { length: 10 },
    (_, ip) => answers.filter(({ status }, n) => status === 200 && n % 10 === ip).length,
  )
  expect(Math.max(...given)).toBeLessThanOrEqual(5)
  const left = await available()
  expect(left).toBeGreaterThanOrEqual(10)
  expect(left).toBe(40 - (outcomes(answers)[200] ?? 0))
  const [newcomer] = await people(1)
  expect(await ask(newcomer as Person, { from: '198.51.100.7' })).toMatchObject({ status: 200 })
})

test('many IPs take three quarters of the stock per hour', async () => {
  await poolWith(12)
  const hostile = await people(30)
  const answers = await atOnce(hostile, (n) => `203.0.113.${n}`)
  expect(outcomes(answers)).toEqual({ 200: 9, walletsInDemand: 21 })
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.narration).toBe(
    'Deposit addresses are in unusual demand. Nothing was recorded; please try again in 60 min.',
  )
  expect(new Set(answers.flatMap(({ address = [] }) => address)).size).toBe(9)

  await letTimePass('1 hour')
  const [newcomer] = await people(1)
  expect(await ask(newcomer as Person, { from: '198.51.100.7' })).toMatchObject({ status: 200 })
})

test('accounts at one IP get five wallets a day', async () => {
  await poolWith(60)
  const many = await people(20)
  const answers = await atOnce(many, () => '203.0.113.1')
  expect(outcomes(answers)).toEqual({ 200: 5, tooManyNewWallets: 15 })
  expect(answers.find(({ status }) => status === 429)?.narration).toBe(
    'Many deposit addresses were given out over your internet connection today. Nothing was recorded; please try again in 24 h, or over another connection.',
  )
  const waiting = many.filter((_, n) => answers[n]?.status === 429)
  await letTimePass('23 hours')
  expect(outcomes(await sequentially(waiting.slice(0, 1)))).toEqual({ tooManyNewWallets: 1 })
  await letTimePass('1 hour')
  expect(outcomes(await sequentially(waiting))).toEqual({ 200: 5, tooManyNewWallets: 10 })
})

test('the IPv6 addresses of one subscriber count as one', async () => {
  await poolWith(60)
  const answers = await sequentially(await people(7), (n) => ({
    from: n < 6 ? `2001:db8:1:${n}::${n}` : '2001:db8:2::1',
  }))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 200])
})

test('the operator sets the limits on new wallets', async () => {
  await poolWith(60, { ...LIVE_BEHIND_PROXY, NEW_WALLETS_PER_IP: '2', NEW_WALLETS_PER_HOUR: '4' })
  const from = [
    '203.0.113.1',
    '203.0.113.1',
    '203.0.113.1',
    '203.0.113.2',
    '203.0.113.3',
    '203.0.113.4',
  ]
  const answers = await sequentially(await people(6), (n) => ({ from: from[n] ?? '' }))
  expect(answers.map(({ code = '' }) => code)).toEqual([
    '',
    '',
    'tooManyNewWallets',
    '',
    '',
    'walletsInDemand',
  ])
})

test('the sandbox limits new wallets only if configured', async () => {
  await poolWith(12, { RATE_LIMITS: 'on' })
  expect(outcomes(await sequentially(await people(12)))).toEqual({ 200: 12 })
  await product.close()
  await poolWith(3, { RATE_LIMITS: 'on', NEW_WALLETS_PER_IP: '1' })
  expect(outcomes(await sequentially(await people(2)))).toEqual({ 200: 1, tooManyNewWallets: 1 })
  await product.close()
  await poolWith(3, { RATE_LIMITS: 'off', NEW_WALLETS_PER_IP: '1' })
  expect(outcomes(await sequentially(await people(3)))).toEqual({ 200: 3 })
})

test('a deposit that had to wait can be repeated', async () => {
  await poolWith(6)
  await sequentially(await people(3))
  const [late] = (await people(1)) as [Person]
  const once = { key: 'patient' }
  expect((await ask(late, once)).status).toBe(429)
  expect((await ask(late, { ...once, from: '198.51.100.7' })).status).toBe(200)
  expect(await ask(late, once)).toEqual(await ask(late, { ...once, app: apps[1] }))
  expect((await product.call(listTransactions, { token: late.token })).body).toHaveLength(1)
})

test('an empty stock is reported, and refusals do not count', async () => {
  await poolWith(1)
  const answers = await sequentially(await people(6), (n) => ({ from: `203.0.113.${n}` }))
  expect(answers.map(({ status, code = '' }) => `${status} ${code}`)).toEqual([
    '200 ',
    ...Array(5).fill('503 noWalletAvailable'),
  ])
  await wallets(product, 4)
  expect((await ask((await people(1))[0] as Person)).status).toBe(200)
})

test('a requesting IP is stored as digest for a day', async () => {
  await poolWith(3)
  await sequentially(await people(2))
  const { rows } = await product.database.pool.query(
    'SELECT length(source) AS bytes, count(*)::int AS count FROM wallet_assignments GROUP BY 1',
  )
  expect(rows).toEqual([{ bytes: 32, count: 2 }])
  await letTimePass('23 hours 59 minutes')
  expect(await forgetAssignments(product.context.db)).toBe(0)
  await letTimePass('1 minute')
  expect(await forgetAssignments(product.context.db)).toBe(2)
})

test('20 of 64 deposits of one account are recorded', async () => {
  await poolWith(2, { RATE_LIMITS: 'off' })
  const [investor, other] = (await people(2)) as [Person, Person]
  const sixtyFour = () => atOnce(Array<Person>(64).fill(investor), () => '203.0.113.1')
  const answers = await sixtyFour()
  expect(outcomes(answers)).toEqual({
    200: OPEN_DEPOSITS_LIMIT,
    tooManyOpenDeposits: 64 - OPEN_DEPOSITS_LIMIT,
  })
  expect(answers.find(({ status }) => status === 409)?.narration).toBe(
    'You already have 20 deposits waiting for confirmation. Nothing was recorded; please try again once one of them is confirmed.',
  )
  const waiting = (await product.call(listTransactions, { token: investor.token })).body
  expect(waiting).toHaveLength(OPEN_DEPOSITS_LIMIT)
  expect((await ask(other)).status).toBe(200)

  // Confirmed deposits make room for as many, also under the refused key.
  const { token } = await person(product, ['ADMIN'])
  const confirmed = waiting.slice(0, 6)
  expect((await ask(investor, { key: 'full' })).status).toBe(409)
  for (const { id } of confirmed)
    await product.call(confirm, { token, payload: { transactionId: id } })
  // A pending withdrawal takes no room.
  await fund(product, investor, cents(20_00n))
  const { status } = await product.call(withdraw, {
    token: investor.token,
    payload: { userId: investor.id, amount: 10 },
  })
  expect([status, (await ask(investor, { key: 'full' })).status]).toEqual([200, 200])
  expect(outcomes(await sixtyFour())).toEqual({ 200: 5, tooManyOpenDeposits: 59 })
})
