import { invalidAddress } from '@pool/contract/base/messages'
import { cents } from '@pool/contract/base/money'
import { type NetworkName, networks } from '@pool/contract/base/networks'
import { createWallet, createWallets } from '@pool/contract/chain/wallets'
import { payoutAddress } from '@pool/contract/money/payoutAddresses'
import { reject } from '@pool/contract/requests/decisions'
import { checkDestination } from '@pool/contract/requests/requests'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import {
  adminOf,
  ask,
  decide,
  idOf,
  letTimePass,
  read,
  save,
  startBothModes,
} from '../../testing/bothModes.ts'
import { balanceOf, investorWith, type Product } from '../../testing/product.ts'
import { payeeOf } from './destination.ts'
import { requestWithdrawal } from './requestWithdrawal.ts'

const TEST_ADDRESS = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
// No wallet of the sandbox.
const OTHER_TEST_ADDRESS = 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7'
const names = networks.map(({ name }) => name)

let sandbox: Product
let live: Product
let close: () => Promise<void>
beforeAll(async () => {
  ;({ sandbox, live, close } = await startBothModes())
})
afterAll(() => close())

describe('a wallet', () => {
  test.each(names)('on %s is refused with an invalid address', async (networkName) => {
    const answer = await sandbox.call(createWallet, {
      token: adminOf(sandbox),
      payload: { address: 'nowhere', networkName },
    })
    expect(answer).toMatchObject({
      status: 400,
      narration: invalidAddress(networkName),
      body: { code: 'invalidAddress', field: 'address', details: { network: networkName } },
    })
  })

  test('of a test network is for a sandbox only', async () => {
    const add = (product: Product) =>
      product.call(createWallet, {
        token: adminOf(product),
        payload: { address: TEST_ADDRESS, networkName: 'Bitcoin' },
      })
    expect([(await add(sandbox)).status, (await add(live)).status]).toEqual([200, 400])
  })
})

describe('a withdrawal that names its network', () => {
  test.each(names)('on %s keeps both', async (networkName) => {
    const investor = await investorWith(sandbox, 10)
    const destinationAddress = newAddress(networkName)
    const answer = await ask(sandbox, investor, {
      destinationAddress,
      networkName: networkName.toUpperCase(),
    })
    expect(answer).toMatchObject({ status: 200, body: { destinationAddress } })
    expect(await read(sandbox, idOf(answer))).toMatchObject({
      networkName,
      destinationAddress,
      payee: { address: destinationAddress, networkName },
    })
  })

  test('is refused with a destination of another network', async () => {
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
        return ask(sandbox, investor, {
          destinationAddress: n % 2 === 0 ? mistyped[(n >> 1) % 5] : address,
          networkName,
        })
      }),
    )
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([400]))
    expect(await balanceOf(sandbox, investor)).toBe(100)
    expect((await sandbox.database.pool.query('SELECT count(*) FROM transactions')).rows).toEqual(
      before.rows,
    )
  })

  test('has its fallback destination checked too', async () => {
    const investor = await investorWith(sandbox, 100)
    const description = newAddress('Polygon')
    expect((await ask(sandbox, investor, { description, networkName: 'Polygon' })).status).toBe(200)
    expect(
      (await ask(sandbox, investor, { description: 'rent', networkName: 'Polygon' })).status,
    ).toBe(400)
    expect((await ask(sandbox, investor, { networkName: 'Polygon' })).status).toBe(200)
    expect(await ask(sandbox, investor, { networkName: 'Dogecoin', description })).toMatchObject({
      status: 400,
      body: { code: 'unknownNetwork' },
    })
  })
})

/** Requests that no live pool can pay, each with its refusal. */
const unpayable = [
  [{}, 'noPayoutAddress'],
  [{ description: 'rent' }, 'unpayableDestination'],
  [{ destinationAddress: 'bc1-somewhere' }, 'unpayableDestination'],
  [{ destinationAddress: OTHER_TEST_ADDRESS }, 'unpayableDestination'],
  [{ destinationAddress: 'bc1pfeessrawgf' }, 'unpayableDestination'],
] as const

describe('in live mode', () => {
  test.each(unpayable)('a withdrawal to %j is refused', async (request, code) => {
    const investor = await investorWith(live, 10)
    expect(await ask(live, investor, request)).toMatchObject({
      status: 400,
      body: { code, field: 'destinationAddress' },
    })
    expect(await balanceOf(live, investor)).toBe(10)
    expect((await ask(sandbox, await investorWith(sandbox, 10), request)).status).toBe(200)
  })

  test('a saved payout address may still wait', async () => {
    const investor = await investorWith(live, 10)
    await save(live, investor, newAddress())
    expect((await ask(live, investor)).status).toBe(200)
  })

  test.each(unpayable)('one to %j of a sandbox can only be rejected', async (request) => {
    const investor = await investorWith(live, 10)
    const { transactionId } = await requestWithdrawal(
      { ...live.context, config: sandbox.context.config },
      { by: { id: investor.id, from: 'tests' }, amount: cents(1000n), ...request },
    )
    const transfers = () => live.database.pool.query('SELECT count(*) FROM transfers')
    const before = await transfers()
    expect(await decide(live, investor, transactionId)).toMatchObject({
      status: 409,
      body: { code: 'destinationUnresolved' },
    })
    expect((await transfers()).rows).toEqual(before.rows)
    const pending = await read(live, transactionId)
    expect([pending.status, pending.payee]).toEqual(['PENDING', undefined])
    expect(
      (
        await live.call(reject, {
          token: adminOf(live),
          params: { id: transactionId },
          payload: {},
        })
      ).status,
    ).toBe(200)
    expect(await balanceOf(live, investor)).toBe(10)
  })

  test('a withdrawal to an older address is approved', async () => {
    const investor = await investorWith(live, 40)
    const [bitcoin, ethereum] = [newAddress(), newAddress('Ethereum')]
    for (const request of [
      { destinationAddress: bitcoin },
      { destinationAddress: ethereum, networkName: 'ethereum' },
    ]) {
      await ask(live, investor, request)
      await letTimePass(live, 24)
      const transactionId = idOf(await ask(live, investor, request))
      const networkName = 'networkName' in request ? 'Ethereum' : 'Bitcoin'
      expect((await read(live, transactionId)).payee).toMatchObject({
        address: request.destinationAddress,
        networkName,
      })
      expect((await decide(live, investor, transactionId)).status).toBe(200)
    }
  })
})

describe('an address without an owner', () => {
  const anchor = 'bc1pfeessrawgf'
  const refused = { status: 400, body: { code: 'addressUnowned' } }

  test('is no wallet and no payout address', async () => {
    for (const product of [sandbox, live]) {
      const [token, investor] = [adminOf(product), await investorWith(product, 10)]
      for (const [networkName, address] of [
        ['Bitcoin', anchor],
        ['Polygon', '0x000000000000000000000000000000000000dEaD'],
        ['Solana', '11111111111111111111111111111111'],
      ] as const) {
        const payload = { address, networkName }
        expect(await product.call(createWallet, { token, payload })).toMatchObject(refused)
        const several = { networkName, addresses: [newAddress(networkName), address] }
        expect(await product.call(createWallets, { token, payload: several })).toMatchObject({
          status: 409,
          body: { details: { lines: [{ line: 2, problem: 'invalid' }] } },
        })
        expect(await save(product, investor, address, networkName)).toMatchObject(refused)
        const destination = { destinationAddress: address, networkName }
        expect(await ask(product, investor, destination)).toMatchObject(refused)
      }
      expect(await balanceOf(product, investor)).toBe(10)
    }
  })

  test('of an older row is shown and never paid', async () => {
    const investor = await investorWith(live, 10)
    await live.database.pool.query(
      `INSERT INTO payout_addresses (id, user_id, address, network_name, usable_from)
       VALUES (gen_random_uuid(), $1, $2, 'Bitcoin', now())`,
      [investor.id, anchor],
    )
    expect((await live.call(payoutAddress, { token: investor.token })).body).toMatchObject({
      current: { address: anchor },
    })
    await letTimePass(live, 25)
    expect(await decide(live, investor, idOf(await ask(live, investor)))).toMatchObject({
      status: 409,
      body: { code: 'destinationUnresolved' },
    })
  })
})

describe('a deposit address of the pool', () => {
  const wallet = async (product: Product, networkName: NetworkName = 'Polygon') => {
    const address = newAddress(networkName)
    const payload = { address, networkName }
    await product.call(createWallet, { token: adminOf(product), payload })
    return address
  }

  test('is refused as a destination and as a payout address', async () => {
    for (const product of [sandbox, live]) {
      const investor = await investorWith(product, 10)
      const address = await wallet(product)
      const refused = { status: 400, body: { code: 'poolWallet' } }
      for (const request of [
        { destinationAddress: address, networkName: 'Polygon' },
        { destinationAddress: address.toLowerCase(), networkName: 'Polygon' },
        { description: address, networkName: 'Polygon' },
      ])
        expect(await ask(product, investor, request)).toMatchObject(refused)
      expect(await save(product, investor, address, 'Polygon')).toMatchObject(refused)
      expect(await balanceOf(product, investor)).toBe(10)
    }
  })

  test('that became one after the request is not paid', async () => {
    for (const product of [sandbox, live]) {
      const investor = await investorWith(product, 10)
      const address = newAddress('Bitcoin')
      const transactionId = idOf(await ask(product, investor, { destinationAddress: address }))
      await letTimePass(product, 25)
      await product.call(createWallet, {
        token: adminOf(product),
        payload: { address, networkName: 'Bitcoin' },
      })
      expect(await decide(product, investor, transactionId)).toMatchObject({
        status: 409,
        body: { code: 'payeeIsPoolWallet' },
      })
      expect(await read(product, transactionId)).toMatchObject({ status: 'PENDING' })
    }
  })

  test('is named by the check to its owner alone', async () => {
    const [{ token, id }, other] = [await investorWith(live, 10), await investorWith(live, 10)]
    const check = async (destination: string, by = token) =>
      (await live.call(checkDestination, { token: by, payload: { destination } })).body
    const evm = ['Ethereum', 'Binance Smart Chain', 'Polygon']
    const own = await wallet(live)
    await live.database.superuser.query(
      'UPDATE wallets SET owner_id = $1, proposal_id = NULL WHERE address = $2',
      [id, own],
    )
    for (const address of [own, own.toLowerCase()])
      expect(await check(address)).toEqual({ networks: evm, isPoolWallet: true })
    // The same answer as about an unknown address.
    for (const address of [own, await wallet(live), newAddress('Polygon')])
      expect(await check(address, other.token)).toEqual({ networks: evm, isPoolWallet: false })
    expect(await check('rent')).toEqual({ networks: [], isPoolWallet: false })
    expect(await check(TEST_ADDRESS)).toEqual({ networks: [], isPoolWallet: false })
  })
})

describe('an address that fits several networks', () => {
  const narration =
    'This address is valid on several networks. Please choose one of them: Ethereum, Binance Smart Chain, Polygon.'

  test.each([
    ['destination', (address: string) => ({ destinationAddress: address })],
    ['description', (address: string) => ({ description: address })],
  ])('must name one in live mode as the %s', async (_, request) => {
    const investor = await investorWith(live, 10)
    const answer = await ask(live, investor, request(newAddress('Polygon')))
    expect(answer).toMatchObject({
      status: 400,
      narration,
      body: {
        code: 'ambiguousAddress',
        field: 'networkName',
        details: { networks: ['Ethereum', 'Binance Smart Chain', 'Polygon'] },
      },
    })
    expect(await balanceOf(live, investor)).toBe(10)
  })

  test('is asked for no network in a sandbox', async () => {
    const investor = await investorWith(sandbox, 10)
    expect(
      (await ask(sandbox, investor, { destinationAddress: newAddress('Polygon') })).status,
    ).toBe(200)
  })

  test('can only be rejected in live mode without one', async () => {
    const investor = await investorWith(live, 10)
    // Live mode meets one that was requested in a sandbox.
    const { transactionId } = await requestWithdrawal(
      { ...live.context, config: sandbox.context.config },
      {
        by: { id: investor.id, from: 'tests' },
        amount: cents(1000n),
        destinationAddress: newAddress('Polygon'),
      },
    )
    await letTimePass(live, 24)
    expect((await read(live, transactionId)).payee).toMatchObject({ networkName: '' })
    expect(await decide(live, investor, transactionId)).toMatchObject({
      status: 409,
      body: { code: 'networkUnknown' },
    })
    expect(
      (
        await live.call(reject, {
          token: adminOf(live),
          params: { id: transactionId },
          payload: {},
        })
      ).status,
    ).toBe(200)
    expect(await balanceOf(live, investor)).toBe(10)
  })
})

test('a sandbox pays to any destination', async () => {
  const investor = await investorWith(sandbox, 10)
  expect(
    (
      await decide(
        sandbox,
        investor,
        idOf(await ask(sandbox, investor, { destinationAddress: 'anywhere' })),
      )
    ).status,
  ).toBe(200)
})

test('a destination of another network than named has no payee', () => {
  const written = {
    type: 'withdrawal',
    created_at: new Date(),
    saved_address: null,
    saved_network: null,
    saved_since: null,
    first_named_at: null,
  } as const
  const row = {
    ...written,
    destination_address: newAddress('Bitcoin'),
    destination_network: 'Ethereum',
  }
  expect(payeeOf(row, 'live')).toBeUndefined()
  expect(payeeOf({ ...row, destination_network: 'Bitcoin' }, 'live')).toMatchObject({
    networkName: 'Bitcoin',
  })
})
