import type { NetworkName } from '@pool/contract/base/networks'
import type { PaymentState } from '@pool/contract/coins/payments'
import { confirm } from '@pool/contract/requests/decisions'
import { deposit } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { writeBlocks, writeUnconfirmed } from '../../chain/nodes/payments.ts'
import { insertSetRate } from '../../chain/rates/rates.ts'
import { addWallet } from '../../chain/wallets/addWallet.ts'
import { newAddress } from '../../testing/addresses.ts'
import { LIVE } from '../../testing/live.ts'
import { chainsFile } from '../../testing/playNode.ts'
import {
  codeOf,
  type Person,
  type Product,
  person,
  startProduct,
  wallets,
} from '../../testing/product.ts'
import { begun, eventually, openStream } from '../../testing/streams.ts'

const CHAINS = {
  CHAINS: chainsFile({
    Bitcoin: {
      kind: 'bitcoin',
      url: 'http://127.0.0.1:1',
      genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      confirmations: 2,
    },
    Ethereum: { kind: 'evm', url: 'http://127.0.0.1:1', chainId: 1 },
  }),
}

let live: Product
let sandbox: Product
let staff: ReadonlyMap<Product, Person>
beforeAll(async () => {
  live = await startProduct({ ...LIVE, ...CHAINS, NEW_WALLETS_PER_IP: '100' })
  sandbox = await startProduct(CHAINS)
  // Newcomers wait while few wallets are left.
  for (const product of [live, sandbox]) await wallets(product, 60)
  await live.database.superuser.query(`
    INSERT INTO chains (network_name, state, followed_since)
    SELECT name, 'FINE', now() FROM unnest('{Bitcoin,Ethereum}'::text[]) AS name`)
  staff = new Map([
    [live, await person(live, ['ADMIN'])],
    [sandbox, await person(sandbox, ['ADMIN'])],
  ])
})
afterAll(async () => {
  await live.close()
  await sandbox.close()
})

const staffOf = (product: Product): Person => staff.get(product) as Person
const newHash = () => `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')

/** An investor with a waiting deposit of $250 to an address of its own. */
const waiting = async (product: Product, networkName: NetworkName = 'Bitcoin', by?: Person) => {
  if (networkName !== 'Bitcoin')
    await addWallet(
      product.context,
      { address: newAddress(networkName), networkName },
      { name: 'tests', from: 'tests' },
    )
  const investor = by ?? (await person(product))
  const { body } = await product.call(deposit, {
    token: investor.token,
    payload: { userId: investor.id, amount: 250, networkName },
  })
  return { id: body.transactionId, investor, address: body.address }
}

type SentPayment = {
  readonly to: string
  readonly units?: bigint
  readonly transaction?: string
  readonly output?: number
  readonly state?: PaymentState
  readonly asset?: string
  /** Whole coins as decimals of the asset. */
  readonly decimals?: number
}

/** Writes a payment as the follower of its network does. Returns its transaction. */
const pay = async (
  { context, database }: Product,
  { to, units = 389_873n, output = 0, asset = 'BTC', decimals = 8, ...sent }: SentPayment,
): Promise<string> => {
  const { transaction = newHash(), state = 'CONFIRMED' } = sent
  const network = asset === 'BTC' ? 'Bitcoin' : 'Ethereum'
  const payment = {
    transaction,
    output,
    address: to,
    asset,
    units,
    decimals,
    inputs: [],
    isCoinbase: false,
  }
  await writeUnconfirmed(
    context.db,
    { network, pricing: context.config },
    { payments: [payment], spendings: [], spends: [] },
  )
  const height =
    state === 'CONFIRMED' ? ", height = 100, block_hash = 'ab', confirmed_at = now()" : ''
  await database.superuser.query(
    `UPDATE payments SET state = $1 ${height} WHERE transaction_id = $2`,
    [state, transaction],
  )
  return transaction
}
const setRate = (product: Product, dollars: string) =>
  insertSetRate(product.context.db, product.context.keys, {
    coin: 'BTC',
    dollars,
    setBy: staffOf(product).id,
    by: { ...staffOf(product), name: 'tests', from: 'tests' },
  })
const storyOf = async (product: Product, id: string, { token }: Person) =>
  (await product.call(transactionStory, { token, params: { id } })).body
const confirmBy = (product: Product, id: string, evidence: string, receivedAmount?: number) =>
  product.call(confirm, {
    token: staffOf(product).token,
    payload: { transactionId: id, evidence, ...(receivedAmount && { receivedAmount }) },
  })

describe('the story of a deposit', () => {
  test('has the payments to its address', async () => {
    await setRate(sandbox, '64123.45')
    const { id, investor, address } = await waiting(sandbox)
    expect(await storyOf(sandbox, id, investor)).toMatchObject({ payments: [] })
    const transaction = await pay(sandbox, { to: address, state: 'SEEN' })
    const other = await waiting(sandbox)
    const seen = {
      evidence: `${transaction}:0`,
      asset: 'BTC',
      amount: '0.00389873',
      state: 'SEEN',
      depth: null,
      needed: 2,
      dollars: 250,
    }
    for (const reader of [investor, staffOf(sandbox)])
      expect((await storyOf(sandbox, id, reader)).payments).toMatchObject([seen])
    expect((await storyOf(sandbox, other.id, other.investor)).payments).toEqual([])
  })

  test('counts the blocks on its way to a confirmation', async () => {
    const { id, investor, address } = await waiting(sandbox)
    const payment = {
      transaction: newHash(),
      output: 0,
      address,
      asset: 'BTC',
      units: 5n,
      decimals: 8,
      inputs: [],
      isCoinbase: false,
    }
    await sandbox.database.superuser.query(
      "INSERT INTO chains (network_name, state, height) VALUES ('Bitcoin', 'FINE', 500)",
    )
    await writeBlocks(sandbox.context, { network: 'Bitcoin', pricing: sandbox.context.config }, [
      {
        height: 500,
        hash: 'aa',
        parent: '',
        time: 0,
        payments: [payment],
        spendings: [],
        spends: [],
      },
    ])
    expect((await storyOf(sandbox, id, investor)).payments).toMatchObject([{ depth: 1, needed: 2 }])
  })

  test('leaves out payments that another deposit rests on', async () => {
    const first = await waiting(sandbox)
    const second = await waiting(sandbox, 'Bitcoin', first.investor)
    expect(second.address).toBe(first.address)
    const transaction = await pay(sandbox, { to: first.address })
    const later = await pay(sandbox, { to: first.address })
    expect((await confirmBy(sandbox, first.id, `${transaction}:0`)).status).toBe(200)
    const paymentsOf = async ({ id }: typeof first) =>
      (await storyOf(sandbox, id, first.investor)).payments?.map(({ evidence }) => evidence)
    expect(await paymentsOf(first)).toEqual([`${transaction}:0`])
    expect(await paymentsOf(second)).toEqual([`${later}:0`])
  })

  test('counts a payment at the rate of its first sight', async () => {
    await setRate(sandbox, '60000')
    const { id, investor, address } = await waiting(sandbox)
    await pay(sandbox, { to: address, units: 1_000_000n })
    await sandbox.database.superuser.query(
      `UPDATE payments SET seen_at = now() + interval '1 hour' WHERE address = '${address}'`,
    )
    await setRate(sandbox, '30000')
    // Its quote had ended.
    expect((await storyOf(sandbox, id, investor)).payments).toMatchObject([{ dollars: 600 }])
  })

  test('has no payments without a node', async () => {
    const { id, investor } = await waiting(sandbox, 'Polygon')
    expect(await storyOf(sandbox, id, investor)).not.toHaveProperty('payments')
  })
})

describe('in live mode a deposit with a node', () => {
  test('is confirmed for what the chain shows alone', async () => {
    await setRate(live, '64123.45')
    const { id, address } = await waiting(live)
    const transaction = await pay(live, { to: address, units: 389_000n })
    const differs = await confirmBy(live, id, transaction)
    expect(differs).toMatchObject({
      status: 409,
      body: { code: 'evidenceCountsAs', details: { amount: 249.44 } },
    })
    expect(codeOf(await confirmBy(live, id, transaction, 249.45))).toBe('evidenceCountsAs')
    expect((await confirmBy(live, id, transaction, 249.44)).body).toMatchObject({
      status: 'APPROVED',
    })
  })

  test.each([
    ['SEEN', 'evidenceUnconfirmed'],
    ['REPLACED', 'evidenceUnseen'],
    ['DROPPED', 'evidenceUnseen'],
    ['REVERSED', 'evidenceUnseen'],
  ] as const)('is not confirmed by a payment that is %s', async (state, code) => {
    const { id, address } = await waiting(live)
    expect(codeOf(await confirmBy(live, id, await pay(live, { to: address, state })))).toBe(code)
  })

  test('is not confirmed by a payment to another address', async () => {
    const { id } = await waiting(live)
    const other = await waiting(live)
    const foreign = await pay(live, { to: other.address })
    expect(codeOf(await confirmBy(live, id, foreign))).toBe('evidenceUnseen')
    expect(codeOf(await confirmBy(live, id, newHash()))).toBe('evidenceUnseen')
  })

  test('is not confirmed by another output of its transaction', async () => {
    const { id, address } = await waiting(live)
    const transaction = await pay(live, { to: address, output: 3 })
    expect(codeOf(await confirmBy(live, id, `${transaction}:0`))).toBe('evidenceUnseen')
    expect((await confirmBy(live, id, `${transaction}:3`)).status).toBe(200)
  })

  test('waits for a rate of its coin', async () => {
    const { id, address } = await waiting(live, 'Ethereum')
    const coin = { to: address, asset: 'ETH', decimals: 18, output: -1, units: 10n ** 17n }
    const transaction = await pay(live, { ...coin, transaction: `0x${newHash()}` })
    expect(await confirmBy(live, id, transaction)).toMatchObject({
      status: 409,
      body: { code: 'evidenceUnpriced', details: { coin: 'ETH' } },
    })
  })

  test('gives its quote to one payment of a transaction', async () => {
    await setRate(live, '64123.45')
    const { id, address } = await waiting(live)
    await setRate(live, '32061.73')
    const transaction = newHash()
    for (const output of [0, 1]) await pay(live, { to: address, transaction, output })
    expect(await confirmBy(live, id, transaction)).toMatchObject({
      body: { code: 'evidenceCountsAs', details: { amount: 375 } },
    })
  })

  test('from before its first look is confirmed as before', async () => {
    const { id } = await waiting(live)
    const later = "UPDATE chains SET followed_since = now() WHERE network_name = 'Bitcoin'"
    await live.database.superuser.query(later)
    const old = await waiting(live)
    const gone = await pay(live, { to: old.address, state: 'REPLACED' })
    await live.database.superuser.query(later)
    const { id: next } = await waiting(live)
    expect(codeOf(await confirmBy(live, old.id, gone))).toBe('evidenceUnseen')
    expect((await confirmBy(live, id, newHash())).status).toBe(200)
    expect(codeOf(await confirmBy(live, next, newHash()))).toBe('evidenceUnseen')
  })

  test('without one is confirmed as before', async () => {
    const { id } = await waiting(live, 'Polygon')
    expect((await confirmBy(live, id, `0x${newHash()}`)).status).toBe(200)
  })
})

test('a sandbox confirms what its node does not show', async () => {
  const { id } = await waiting(sandbox)
  expect((await confirmBy(sandbox, id, newHash())).status).toBe(200)
})

test('an investor is told of own payments and blocks', async () => {
  const url = await sandbox.app.listen({ host: '127.0.0.1', port: 0 })
  const { address, investor } = await waiting(sandbox)
  const leave = new AbortController()
  const streams = await Promise.all(
    [investor, await person(sandbox), staffOf(sandbox)].map((who) =>
      openStream(url, who, leave.signal),
    ),
  )
  await begun(streams)
  const [own, foreign, ofStaff] = streams
  const told = (of: typeof own) => of?.changes().filter(({ noun }) => noun === 'payment').length
  await pay(sandbox, { to: address, state: 'SEEN' })
  await eventually(() => expect(told(own)).toBeGreaterThan(0))
  await eventually(() => expect(told(ofStaff)).toBeGreaterThan(0))
  const before = told(own) ?? 0
  await sandbox.database.superuser.query(
    `UPDATE payments SET height = 1, block_hash = 'ab' WHERE address = '${address}';
     INSERT INTO chains (network_name, state, head_hash) VALUES ('Bitcoin', 'FINE', '${newId()}')
     ON CONFLICT (network_name) DO UPDATE SET head_hash = EXCLUDED.head_hash`,
  )
  await eventually(() => expect(told(own)).toBeGreaterThan(before + 1))
  expect(told(foreign)).toBe(0)
  leave.abort()
})
