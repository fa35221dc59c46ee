import { cents } from '@pool/contract/base/money'
import { createWallet, depositTerms } from '@pool/contract/chain/wallets'
import { deposit } from '@pool/contract/requests/requests'
import { beforeAll, expect, test, vi } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { fund, type Person, person, testProduct } from '../../testing/product.ts'
import { ENOUGH } from './depositTerms.ts'

const product = testProduct()
let admin: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
})

const termsOf = async ({ token }: Person) => (await product.call(depositTerms, { token })).body
const networksFor = async (someone: Person) =>
  (await termsOf(someone)).networks.map(({ name }) => name)

test('networks with free wallets are offered, the best first', async () => {
  const investor = await person(product)
  expect(await networksFor(investor)).toEqual([])
  for (const networkName of ['Solana', 'Bitcoin', 'Polygon'] as const)
    await product.call(createWallet, {
      token: admin.token,
      payload: { address: newAddress(networkName), networkName },
    })
  expect(await networksFor(investor)).toEqual(['Solana', 'Polygon', 'Bitcoin'])

  // Each fee is of the last hour but Polygon's. Bitcoin has no rate, so it stays behind.
  await product.database.superuser.query(
    `INSERT INTO fee_estimates VALUES ('Bitcoin', 1, now()), ('Solana', 2, now()), ('Polygon', 1, now() - interval '61 minutes')`,
  )
  expect(await networksFor(investor)).toEqual(['Solana', 'Polygon', 'Bitcoin'])
  await product.database.superuser.query(
    `UPDATE fee_estimates SET at = now() WHERE network_name = 'Polygon'`,
  )
  expect(await networksFor(investor)).toEqual(['Polygon', 'Solana', 'Bitcoin'])

  // A deposit without a network gets the oldest available wallet, and its network is the default.
  const given = await product.call(deposit, {
    token: investor.token,
    payload: { userId: investor.id, amount: 10 },
  })
  expect(given).toMatchObject({ status: 200, body: { networkName: 'Solana' } })
  expect(await networksFor(investor)).toEqual(['Solana', 'Bitcoin', 'Polygon'])
  expect(await networksFor(await person(product))).toEqual(['Polygon', 'Bitcoin'])
  await product.database.superuser.query('DELETE FROM fee_estimates')
})

test('the first deposit on a network gets its wallet', async () => {
  const [fresh, other] = [await person(product), await person(product)]
  const ask = ({ id, token }: Person, networkName: string) =>
    product.call(deposit, { token, payload: { userId: id, amount: 10, networkName } })
  // Bitcoin is older.
  expect(await ask(fresh, 'polygon')).toMatchObject({ body: { networkName: 'Polygon' } })
  expect(await ask(fresh, 'Polygon')).toMatchObject({ body: { networkName: 'Polygon' } })
  expect(await ask(other, 'Polygon')).toMatchObject({
    status: 409,
    narration:
      'No deposit address is available on Polygon right now. Nothing was recorded; please choose another network.',
  })
  expect(await ask(other, 'Dogecoin')).toMatchObject({ body: { code: 'unknownNetwork' } })
  expect(await ask(other, 'Bitcoin')).toMatchObject({ body: { networkName: 'Bitcoin' } })
  expect(await ask(fresh, 'Bitcoin')).toMatchObject({
    status: 409,
    body: { code: 'noWalletOnNetwork' },
  })
})

test('the network used last is the default', async () => {
  const investor = await person(product)
  for (const networkName of ['Ethereum', 'Solana'] as const)
    await product.call(createWallet, {
      token: admin.token,
      payload: { address: newAddress(networkName), networkName },
    })
  const ask = async (networkName?: string) => {
    const { body } = await product.call(deposit, {
      token: investor.token,
      payload: { userId: investor.id, amount: 10, networkName },
    })
    return body
  }
  const first = await ask()
  expect(first).toMatchObject({ networkName: 'Ethereum' })
  expect(await ask('Solana')).toMatchObject({ networkName: 'Solana' })
  expect(await ask()).toMatchObject({ networkName: 'Solana' })
  expect(await networksFor(investor)).toEqual(['Solana', 'Ethereum'])
  expect(await ask('Ethereum')).toMatchObject({ address: first.address })
  expect(await ask()).toMatchObject({ address: first.address })
  expect(await networksFor(investor)).toEqual(['Ethereum', 'Solana'])
})

test('first deposits of one moment get wallets of their networks', async () => {
  const wanted = ['Solana', undefined, 'Ethereum', 'Solana', undefined, 'Solana'] as const
  for (const networkName of ['Ethereum', 'Solana', 'Solana', 'Bitcoin', 'Polygon'] as const)
    await product.call(createWallet, {
      token: admin.token,
      payload: { address: newAddress(networkName), networkName },
    })
  const people = await Promise.all(wanted.map(() => person(product)))
  const given = await Promise.all(
    people.map(({ id, token }, index) =>
      product.call(deposit, {
        token,
        payload: { userId: id, amount: 10, networkName: wanted[index] },
      }),
    ),
  )
  const bodies = given.map(({ body }) => body)
  const addresses = bodies.flatMap(({ address }) => address ?? [])
  expect(new Set(addresses).size).toBe(addresses.length)
  for (const [index, { networkName }] of bodies.entries())
    expect([wanted[index] ?? networkName, undefined]).toContain(networkName)
  // Two of the three for Solana get one, and so do all others.
  expect(addresses).toHaveLength(5)
})

test('the usual time is the median of enough deposits', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const usual = async () => {
    vi.advanceTimersByTime(600_000)
    return (await termsOf(admin)).usualMinutes
  }
  const fundLate = async (minutes: number) => {
    const someone = await person(product)
    await fund(product, someone, cents(10_00n))
    await product.database.superuser.query(
      `BEGIN; ALTER TABLE transactions DISABLE TRIGGER USER;
       UPDATE transactions SET created_at = updated_at - interval '${minutes} minutes' WHERE user_id = '${someone.id}';
       ALTER TABLE transactions ENABLE TRIGGER USER; COMMIT`,
    )
  }
  for (let count = 1; count < ENOUGH; count += 1) await fundLate(count === 1 ? 10_000 : 30)
  expect(await usual()).toBeNull()
  await fundLate(40)
  expect(await usual()).toBe(30)
  // Deposits of more than 30 days ago do not count.
  await product.database.superuser.query(
    `BEGIN; ALTER TABLE transactions DISABLE TRIGGER USER;
     UPDATE transactions SET created_at = created_at - interval '31 days', updated_at = updated_at - interval '31 days';
     ALTER TABLE transactions ENABLE TRIGGER USER; COMMIT`,
  )
  expect(await usual()).toBeNull()
  vi.useRealTimers()
})
