import type { NetworkName } from '@pool/contract/base/networks'
import { createWallet, listWallets } from '@pool/contract/chain/wallets'
import { deposit } from '@pool/contract/requests/requests'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { type Person, person, rewoundProduct, secondProcess } from '../../testing/product.ts'

/** An address has one owner on all of its networks, and an investor one wallet per network. */

const product = rewoundProduct()
let second: FastifyInstance
beforeAll(async () => {
  second = await secondProcess(product)
})
afterAll(() => second.close())
let admin: Person
beforeEach(async () => {
  admin = await person(product, ['ADMIN'])
})
afterEach(() => expectWhole(product))

const add = (networkName: NetworkName, address = newAddress(networkName)) =>
  product.call(createWallet, { token: admin.token, payload: { address, networkName } })

const ask = async (
  { id, token }: Person,
  networkName?: string,
  app: FastifyInstance = product.app,
) => {
  const answer = await app.inject({
    method: 'POST',
    url: deposit.path,
    headers: { authorization: `Bearer ${token}` },
    payload: { userId: id, amount: 10, networkName },
  })
  return answer.json().body
}

/** The network, address and owner of every wallet. */
const owned = async () =>
  (
    await product.database.pool.query<{ network: string; address: string; owner: string | null }>(
      'SELECT network_name AS network, lower(address) AS address, owner_id AS owner FROM wallets ORDER BY 2, 1',
    )
  ).rows

test('an EVM address serves each of its networks once', async () => {
  const address = newAddress('Ethereum')
  for (const networkName of ['Ethereum', 'Binance Smart Chain', 'Polygon'] as const)
    expect(await add(networkName, address)).toMatchObject({ status: 200, body: { networkName } })
  expect(await add('Polygon', address.toLowerCase())).toMatchObject({
    status: 409,
    body: { code: 'walletExists' },
  })
})

test('an assigned address is its owner’s on all networks', async () => {
  const [investor, other] = [await person(product), await person(product)]
  const address = newAddress('Ethereum')
  await add('Ethereum', address)
  await add('Polygon', address.toLowerCase())
  expect(await ask(investor, 'Ethereum')).toMatchObject({ address, networkName: 'Ethereum' })
  expect(await ask(other, 'Polygon')).toMatchObject({ code: 'noWalletOnNetwork' })
  expect(await ask(investor, 'Polygon')).toMatchObject({ networkName: 'Polygon' })
  expect(await ask(other)).toMatchObject({ code: 'noWalletAvailable' })

  // A network that is added later is the owner's at once.
  expect(await add('Binance Smart Chain', address)).toMatchObject({ body: { assigned: true } })
  expect(new Set((await owned()).map(({ owner }) => owner))).toEqual(new Set([investor.id]))
  const { page } = await product.call(listWallets, {
    token: admin.token,
    query: { status: 'available', limit: '0' },
  })
  expect(page?.total).toBe(0)
})

test('an investor gets no second address on a network', async () => {
  const [investor, other] = [await person(product), await person(product)]
  await add('Polygon')
  const { address: own } = await ask(investor, 'Polygon')
  // Taken on Ethereum, it would be a second address on Polygon.
  const shared = newAddress('Ethereum')
  await add('Polygon', shared)
  await add('Ethereum', shared)
  expect(await ask(investor, 'Ethereum')).toMatchObject({ code: 'noWalletOnNetwork' })
  const lone = (await add('Ethereum')).body
  expect(await ask(investor, 'Ethereum')).toMatchObject({ address: lone.address })
  expect(await ask(other)).toMatchObject({ address: shared, networkName: 'Polygon' })

  expect(await add('Polygon', lone.address)).toMatchObject({
    status: 409,
    narration: 'This address belongs to an investor who already has another address on Polygon.',
  })
  expect(await ask(investor, 'Polygon')).toMatchObject({ address: own })
})

test('64 first deposits on two networks take two wallets', async () => {
  for (let n = 0; n < 5; n += 1) {
    await add('Bitcoin')
    await add('Solana')
  }
  const investor = await person(product)
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, n) =>
      ask(investor, n % 2 ? 'Solana' : 'Bitcoin', n % 3 ? product.app : second),
    ),
  )
  expect(answers.filter(({ code }) => code === undefined)).toHaveLength(20)
  expect((await owned()).filter(({ owner }) => owner !== null)).toHaveLength(2)
})

test('deposits at once leave each address to one investor', async () => {
  const addresses = Array.from({ length: 12 }, () => newAddress('Ethereum'))
  for (const address of addresses)
    for (const networkName of ['Ethereum', 'Polygon'] as const) await add(networkName, address)
  const people = await Promise.all(Array.from({ length: 24 }, () => person(product)))
  const wanted = ['Ethereum', 'Polygon', undefined]
  const [answers] = await Promise.all([
    Promise.all(
      people.map((investor, n) => ask(investor, wanted[n % 3], n % 2 ? product.app : second)),
    ),
    // A third network of the same addresses is added meanwhile.
    Promise.all(addresses.map((address) => add('Binance Smart Chain', address))),
  ])
  const given = answers.flatMap(({ address = [] }) => address)
  expect(given).toHaveLength(12)
  expect(new Set(given.map((address) => address.toLowerCase())).size).toBe(12)
  for (const address of addresses) {
    const rows = (await owned()).filter((row) => row.address === address.toLowerCase())
    expect(rows.map(({ network }) => network)).toEqual([
      'Binance Smart Chain',
      'Ethereum',
      'Polygon',
    ])
    expect(new Set(rows.map(({ owner }) => owner)).size).toBe(1)
    expect(rows[0]?.owner).not.toBeNull()
  }
})

test('the database refuses a second owner of an address', async () => {
  const [one, two] = [await person(product), await person(product)]
  const address = newAddress('Ethereum')
  const insert = (network: string, owner: string) =>
    `INSERT INTO wallets (id, address, network_name, owner_id) VALUES (gen_random_uuid(), '${address}', '${network}', '${owner}')`
  const [first, other] = [
    await product.database.superuser.connect(),
    await product.database.superuser.connect(),
  ]
  await first.query('BEGIN')
  await other.query('BEGIN')
  await first.query(insert('Ethereum', one.id))
  const late = other.query(insert('Polygon', two.id)).catch((error: Error) => error)
  await first.query('COMMIT')
  expect(await late).toMatchObject({ constraint: 'wallets_one_owner_per_address' })
  await other.query('ROLLBACK')

  // An older snapshot would not see the first owner.
  await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  await expect(other.query(insert('Polygon', two.id))).rejects.toThrow(/READ COMMITTED/)
  await other.query('ROLLBACK')
  first.release()
  other.release()
  expect(await owned()).toHaveLength(1)
})
