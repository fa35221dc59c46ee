import { DEFAULT_DESTINATION, invalidAddress, succeeded } from '@pool/contract/messages'
import { payoutAddress, savePayoutAddress } from '@pool/contract/payouts'
import { type TransactionStory, transactionStory } from '@pool/contract/stories'
import { approve, listTransactions, reject, type Transaction, withdraw } from '@pool/contract/transactions'
import { createWallet, networks } from '@pool/contract/wallets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAddress } from '../testing/addresses.ts'
import { balanceOf, investorWith, type Person, type Product, person, startProduct } from '../testing/product.ts'
import { payeeOf } from '../transactions/payee.ts'

const TEST_ADDRESS = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const names = networks.map(({ name }) => name)

let sandbox: Product
let live: Product
let admins: Map<Product, Person>
beforeAll(async () => {
  sandbox = await startProduct()
  live = await startProduct({ POOL_MODE: 'live', RATE_LIMITS: 'on', ALLOW_EMBEDDED_IN_LIVE: 'true' })
  admins = new Map([
    [sandbox, await person(sandbox, ['ADMIN'])],
    [live, await person(live, ['ADMIN'])],
  ])
})
afterAll(async () => {
  await sandbox.close()
  await live.close()
})

const adminOf = (product: Product): string => admins.get(product)?.token ?? ''
const save = (product: Product, { token }: Person, address: string, networkName = 'Bitcoin') =>
  product.call(savePayoutAddress, { token, payload: { address, networkName } })
const ask = async (product: Product, { id, token }: Person, more: object = {}) =>
  product.call(withdraw, { token, payload: { userId: id, amount: 10, ...more } })
const idOf = (answer: { body: unknown }): string => (answer.body as { transactionId: string }).transactionId
/** Approves for the address that staff are shown at this moment. */
const decide = async (product: Product, investor: Person, transactionId: string) => {
  const { payee, destinationAddress } = await read(product, transactionId)
  const payload = { transactionId, userId: investor.id, payeeAddress: payee?.address ?? destinationAddress }
  return product.call(approve, { token: adminOf(product), payload })
}
const read = async (product: Product, transactionId: string): Promise<Transaction> => {
  const { body } = await product.call(transactionStory, { token: adminOf(product), params: { id: transactionId } })
  return (body as TransactionStory).transaction
}
/** A payout address cannot be changed, so to let time pass for one the guard is lifted. */
const letTimePass = async ({ database: { pool } }: Product, hours: number) => {
  await pool.query('ALTER TABLE payout_addresses DISABLE TRIGGER payout_addresses_are_kept')
  await pool.query(
    'UPDATE payout_addresses SET created_at = created_at - $1 * interval $$1 hour$$, usable_from = usable_from - $1 * interval $$1 hour$$',
    [hours],
  )
  await pool.query('ALTER TABLE payout_addresses ENABLE TRIGGER payout_addresses_are_kept')
}

describe('a wallet', () => {
  test.each(names)('on %s is refused with an address that is not one', async (networkName) => {
    const answer = await sandbox.call(createWallet, { token: adminOf(sandbox), payload: { address: 'nowhere', networkName } })
    expect(answer).toMatchObject({ status: 400, narration: invalidAddress(networkName), body: { code: 'validation', field: 'address' } })
  })

  test('of a test network is for a sandbox only', async () => {
    const add = (product: Product) =>
      product.call(createWallet, { token: adminOf(product), payload: { address: TEST_ADDRESS, networkName: 'Bitcoin' } })
    expect([(await add(sandbox)).status, (await add(live)).status]).toEqual([200, 400])
  })
})

describe('a withdrawal that names its network', () => {
  test.each(names)('on %s keeps both', async (networkName) => {
    const investor = await investorWith(sandbox, 10)
    const destinationAddress = newAddress(networkName)
    const answer = await ask(sandbox, investor, { destinationAddress, networkName: networkName.toUpperCase() })
    expect(answer).toMatchObject({ status: 200, body: { destinationAddress } })
    expect(await read(sandbox, idOf(answer))).toMatchObject({
      networkName,
      destinationAddress,
      payee: { address: destinationAddress, networkName },
    })
  })

  test('is refused a thousand times with a destination that is not of it, and nothing is held', async () => {
    const investor = await investorWith(sandbox, 100)
    const before = await sandbox.database.pool.query('SELECT count(*) FROM transactions')
    const refused = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => {
        const networkName = names[n % names.length] ?? 'Bitcoin'
        const other = networkName === 'Bitcoin' || networkName === 'Solana' ? 'Ethereum' : 'Bitcoin'
        const address = newAddress(n % 2 === 0 ? networkName : other)
        const mistyped = [
          address.slice(0, -1),
          `${address}x`,
          `x${address}`,
          address.replace(/.$/, '!'),
          `${address.slice(0, 9)} ${address.slice(9)}`,
        ]
        return ask(sandbox, investor, { destinationAddress: n % 2 === 0 ? mistyped[(n >> 1) % 5] : address, networkName })
      }),
    )
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([400]))
    expect(await balanceOf(sandbox, investor)).toBe(100)
    expect((await sandbox.database.pool.query('SELECT count(*) FROM transactions')).rows).toEqual(before.rows)
  })

  test('checks what the destination falls back to, too', async () => {
    const investor = await investorWith(sandbox, 100)
    const description = newAddress('Polygon')
    expect((await ask(sandbox, investor, { description, networkName: 'Polygon' })).status).toBe(200)
    expect((await ask(sandbox, investor, { description: 'rent', networkName: 'Polygon' })).status).toBe(400)
    expect((await ask(sandbox, investor, { networkName: 'Polygon' })).status).toBe(200)
    expect(await ask(sandbox, investor, { networkName: 'Dogecoin', description })).toMatchObject({
      status: 400,
      body: { code: 'unknownNetwork' },
    })
  })
})

describe('the payout address', () => {
  test('is the own one, nobody else reads or changes it', async () => {
    const [one, other] = [await person(sandbox), await person(sandbox)]
    const address = newAddress('Solana')
    const saved = await save(sandbox, one, address, 'solana')
    expect(saved).toMatchObject({
      status: 200,
      narration: succeeded.payoutAddressSaved,
      body: { current: { address, networkName: 'Solana' }, next: null },
    })
    expect((await sandbox.call(payoutAddress, { token: one.token })).body).toEqual(saved.body)
    expect((await sandbox.call(payoutAddress, { token: other.token })).body).toEqual({ current: null, next: null })
  })

  test('must be an address of its network, and stays in the records', async () => {
    const investor = await person(sandbox)
    expect(await save(sandbox, investor, newAddress('Ethereum'), 'Bitcoin')).toMatchObject({
      status: 400,
      narration: invalidAddress('Bitcoin'),
    })
    expect(await save(live, await person(live), TEST_ADDRESS)).toMatchObject({ status: 400 })
    await save(sandbox, investor, newAddress())
    for (const statement of [
      'DELETE FROM payout_addresses',
      "UPDATE payout_addresses SET address = 'elsewhere'",
      'TRUNCATE payout_addresses',
    ])
      await expect(sandbox.database.pool.query(statement)).rejects.toThrow(/not allowed/)
  })

  test('waits 24 hours in live mode, and until then the one before is paid to', async () => {
    const investor = await investorWith(live, 50)
    const [first, second] = [newAddress(), newAddress('Polygon')]
    expect((await save(live, investor, first)).body).toMatchObject({ current: null, next: { address: first } })
    await letTimePass(live, 23)
    expect((await live.call(payoutAddress, { token: investor.token })).body).toMatchObject({ current: null, next: { address: first } })
    await letTimePass(live, 1)
    expect((await save(live, investor, second, 'Polygon')).body).toMatchObject({ current: { address: first }, next: { address: second } })

    const transactionId = idOf(await ask(live, investor))
    expect(await read(live, transactionId)).toMatchObject({
      destinationAddress: DEFAULT_DESTINATION,
      payee: { address: first, networkName: 'Bitcoin' },
    })
    expect((await decide(live, investor, transactionId)).status).toBe(200)
    await letTimePass(live, 24)
    const later = idOf(await ask(live, investor))
    expect((await read(live, later)).payee).toMatchObject({ address: second, networkName: 'Polygon' })
    const { body } = await live.call(listTransactions, { token: adminOf(live), query: { search: later } })
    expect(body).toMatchObject([{ id: later, payee: { address: second, since: expect.any(Array) } }])
  })

  test('tells for good what a decided withdrawal was paid to', async () => {
    const investor = await investorWith(sandbox, 50)
    const [first, second] = [newAddress(), newAddress()]
    await save(sandbox, investor, first)
    const transactionId = idOf(await ask(sandbox, investor))
    await decide(sandbox, investor, transactionId)
    await save(sandbox, investor, second)
    expect((await read(sandbox, transactionId)).payee?.address).toBe(first)
    expect((await read(sandbox, idOf(await ask(sandbox, investor)))).payee?.address).toBe(second)
  })
})

describe('in live mode', () => {
  test.each([{}, { description: 'rent' }, { destinationAddress: 'bc1-somewhere' }, { destinationAddress: TEST_ADDRESS }])(
    'a withdrawal to %j cannot be approved, but rejected',
    async (request) => {
      const investor = await investorWith(live, 10)
      const transactionId = idOf(await ask(live, investor, request))
      const transfers = () => live.database.pool.query('SELECT count(*) FROM transfers')
      const before = await transfers()
      expect(await decide(live, investor, transactionId)).toMatchObject({ status: 409, body: { code: 'destinationUnresolved' } })
      expect((await transfers()).rows).toEqual(before.rows)
      const pending = await read(live, transactionId)
      expect([pending.status, pending.payee]).toEqual(['PENDING', undefined])
      expect((await live.call(reject, { token: adminOf(live), params: { id: transactionId }, payload: {} })).status).toBe(200)
      expect(await balanceOf(live, investor)).toBe(10)
    },
  )

  test('a withdrawal to an address is approved, with a network named or without', async () => {
    const investor = await investorWith(live, 20)
    const address = newAddress('Ethereum')
    for (const more of [{}, { networkName: 'Ethereum' }]) {
      const transactionId = idOf(await ask(live, investor, { destinationAddress: address, ...more }))
      expect((await read(live, transactionId)).payee).toMatchObject({ address, networkName: 'networkName' in more ? 'Ethereum' : '' })
      expect((await decide(live, investor, transactionId)).status).toBe(200)
    }
  })
})

test('in a sandbox, money is paid to wherever it says', async () => {
  const investor = await investorWith(sandbox, 10)
  expect((await decide(sandbox, investor, idOf(await ask(sandbox, investor, { destinationAddress: 'anywhere' })))).status).toBe(200)
})

test('a destination that is not of the network it names has no payee, though it is an address elsewhere', () => {
  const written = { type: 'withdrawal', created_at: new Date(), payout_address: null, payout_network: null, payout_since: null } as const
  const row = { ...written, destination_address: newAddress('Bitcoin'), destination_network: 'Ethereum' }
  expect(payeeOf(row, 'live')).toBeUndefined()
  expect(payeeOf({ ...row, destination_network: 'Bitcoin' }, 'live')).toMatchObject({ networkName: 'Bitcoin' })
})
