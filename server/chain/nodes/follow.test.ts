import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ChainSettings, EvmSettings } from '../../base/configuration/chainsFile.ts'
import { newAddress } from '../../testing/addresses.ts'
import {
  ANVIL_CHAIN,
  type Anvil,
  hasAnvil,
  type PlayToken,
  playToken,
  startAnvil,
} from '../../testing/anvil.ts'
import {
  asItsOwn,
  hasLitecoind,
  LITECOIN_REGTEST,
  type Litecoind,
  startLitecoind,
} from '../../testing/litecoind.ts'
import { testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { addWallet } from '../wallets/addWallet.ts'
import { type Followed, follow } from './follow.ts'
import { withLock } from './jobs.ts'
import type { Node } from './node.ts'
import { openNode } from './open.ts'
import { listPayments } from './queries.ts'

const product = testProduct()
const db = () => product.context.db

const clear = () =>
  product.database.superuser.query('DELETE FROM payments; DELETE FROM chain_blocks')

const payments = async () =>
  (
    await product.database.superuser.query(
      `SELECT address, output, asset, units::text, state, height IS NOT NULL AS mined FROM payments
       ORDER BY seen_at, output`,
    )
  ).rows

const newWallet = async (network: 'Bitcoin' | 'Ethereum'): Promise<string> => {
  const address = newAddress(network)
  await addWallet(
    product.context,
    { address, networkName: network },
    { name: 'tests', from: 'tests' },
  )
  return address
}

const open = (settings: ChainSettings): Followed => ({
  settings,
  node: openNode(settings),
  pricing: product.context.config,
  keys: product.context.keys,
  receivers: new Map(),
})
const read = async (followed: Followed): Promise<void> =>
  follow(db(), followed, await followed.node.head())
const cursor = async () =>
  (
    await product.database.superuser.query(
      'SELECT height::int, hash FROM chain_blocks ORDER BY height DESC LIMIT 1',
    )
  ).rows[0]

describe.skipIf(!hasAnvil)('on an EVM network', () => {
  let anvil: Anvil
  let token: PlayToken
  let followed: Followed
  beforeAll(async () => {
    anvil = await startAnvil()
    token = await playToken(anvil, 6)
  })
  afterAll(() => anvil?.stop())
  beforeEach(async () => {
    await clear()
    await anvil.ask('anvil_mine', '0x1')
    followed = open({
      network: 'Ethereum',
      kind: 'evm',
      url: anvil.url,
      chainId: ANVIL_CHAIN,
      tokens: [{ symbol: 'USDC', contract: token.contract, decimals: 6 }],
      pollSeconds: 1,
      stuckAfterMinutes: 5,
      unfinalAfterMinutes: 60,
      smallUpTo: 0,
    })
    await read(followed)
  })

  test('payments are seen and then final', async () => {
    const address = await newWallet('Ethereum')
    await token.send(address, 7_000_000n)
    await anvil.pay(address, 3n)
    await read(followed)
    const [usdc, eth] = [
      { address, output: 0, asset: 'USDC', units: '7000000', mined: true },
      { address, output: -1, asset: 'ETH', units: '3', mined: true },
    ]
    const all = async () => new Map((await payments()).map((each) => [each.asset, each]))
    expect(await all()).toEqual(
      new Map([
        ['USDC', { ...usdc, state: 'SEEN' }],
        ['ETH', { ...eth, state: 'SEEN' }],
      ]),
    )
    const config = { ...product.context.config, chains: [followed.settings] }
    expect(await listPayments({ config, db: db() })).toMatchObject([
      {
        asset: 'ETH',
        amount: '0.000000000000000003',
        evidence: expect.stringMatching(/^0x\w{64}$/),
      },
      { asset: 'USDC', amount: '7', userId: null, evidence: expect.stringMatching(/^0x\w{64}:0$/) },
    ])
    await anvil.ask('anvil_mine', '0x80')
    await read(followed)
    expect(await all()).toEqual(
      new Map([
        ['USDC', { ...usdc, state: 'CONFIRMED' }],
        ['ETH', { ...eth, state: 'CONFIRMED' }],
      ]),
    )
  })

  test('small payments need fewer blocks, together as one', async () => {
    const small = { ...followed.settings, smallUpTo: 100, smallConfirmations: 3 } as EvmSettings
    const cautious = { ...followed, settings: small }
    const addresses = [await newWallet('Ethereum'), await newWallet('Ethereum')] as const
    const [one, split] = addresses
    const unpriced = await newWallet('Ethereum')
    await token.send(one, 100_000_000n)
    await anvil.pay(unpriced, 3n)
    await token.send(split, 60_000_000n)
    await token.send(split, 60_000_000n)
    const confirmed = async () =>
      (await payments()).flatMap(({ address, state }) => (state === 'CONFIRMED' ? address : []))
    await read(cautious)
    expect(await confirmed()).toEqual([one])
    await anvil.ask('anvil_mine', '0x5')
    await read(cautious)
    expect(await confirmed()).toEqual([one])
    await anvil.ask('anvil_mine', '0x80')
    await read(cautious)
    expect((await confirmed()).sort()).toEqual([one, split, split, unpriced].sort())
  })

  test('a payment is written once however often it is read', async () => {
    const address = await newWallet('Ethereum')
    await token.send(address, 5n)
    await read(followed)
    const before = await payments()
    // As after a stop between the payment and its block.
    await product.database.superuser.query(
      'DELETE FROM chain_blocks WHERE height = (SELECT max(height) FROM chain_blocks)',
    )
    await read(followed)
    await read(followed)
    expect(await payments()).toEqual(before)
  })

  test.each([1, 5, 10])('a reorganisation %i deep takes a payment back', async (depth) => {
    const address = await newWallet('Ethereum')
    await token.send(address, 9n)
    for (let mined = 1; mined < depth; mined += 1) await anvil.ask('anvil_mine', '0x1')
    await read(followed)
    expect(await payments()).toMatchObject([{ state: 'SEEN', mined: true }])
    // Its transactions do not return to the pool of this node.
    await anvil.ask('anvil_reorg', depth, [])
    await read(followed)
    expect(await payments()).toMatchObject([{ state: 'DROPPED', mined: false }])
    expect(await cursor()).toMatchObject({ hash: (await followed.node.head()).hash })
  })

  test('a reorganisation deeper than the first look is followed', async () => {
    await token.send(newAddress('Ethereum'), 1n)
    await anvil.ask('anvil_mine', '0x9')
    await clear()
    await read(followed)
    await anvil.ask('anvil_reorg', 10, [])
    const address = await newWallet('Ethereum')
    await token.send(address, 9n)
    await read(followed)
    expect(await payments()).toMatchObject([{ state: 'SEEN', units: '9', mined: true }])
  })

  test('a reorganisation while nobody reads is found later', async () => {
    const address = await newWallet('Ethereum')
    await token.send(address, 11n)
    await read(followed)
    await anvil.ask('anvil_reorg', 1, [])
    await anvil.ask('anvil_mine', '0x20')
    await read(open(followed.settings))
    expect(await payments()).toMatchObject([{ state: 'DROPPED', mined: false }])
  })

  test('a confirmed payment goes by a longer branch alone', async () => {
    const address = await newWallet('Ethereum')
    await token.send(address, 13n)
    await anvil.ask('anvil_mine', '0x80')
    await read(followed)
    expect(await payments()).toMatchObject([{ state: 'CONFIRMED' }])
    await anvil.ask('anvil_reorg', 0x81, [])
    await expect(read(followed)).rejects.toMatchObject({ state: 'BEHIND' })
    expect(await payments()).toMatchObject([{ state: 'CONFIRMED' }])
    await anvil.ask('anvil_mine', '0x1')
    await read(followed)
    expect(await payments()).toMatchObject([{ state: 'REVERSED', mined: false }])
  })

  test('a block that cannot be read is never skipped', async () => {
    const address = await newWallet('Ethereum')
    const { height } = await cursor()
    await anvil.ask('anvil_mine', '0x3')
    await token.send(address, 17n)
    const { node } = followed
    const failing: Node = {
      ...node,
      block: async (at, watched) => (at === height + 2 ? undefined : node.block(at, watched)),
    }
    const failed = { ...followed, node: failing }
    await read(failed)
    await expect(read(failed)).rejects.toMatchObject({
      state: 'AWAY',
      message: `Block ${height + 2} is missing`,
    })
    expect([(await cursor()).height, await payments()]).toEqual([height + 1, []])
    await read(followed)
    expect(await payments()).toMatchObject([{ units: '17' }])
  })

  test('a node without any block that was read is refused', async () => {
    await product.database.superuser.query("UPDATE chain_blocks SET hash = '0x' || hash")
    const before = await cursor()
    await expect(read(followed)).rejects.toMatchObject({ state: 'LYING' })
    expect(await cursor()).toEqual(before)
  })
})

describe('the lock of a network', () => {
  const session = () => product.database.locks.connect()

  test('lets one node of the product follow at a time', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const first = withLock('Ethereum', session, async () => {
      begin()
      await released
    })
    await begun
    expect(await withLock('Ethereum', session, async () => undefined)).toBe(false)
    expect(await withLock('Polygon', session, async () => undefined)).toBe(true)
    release()
    expect(await first).toBe(true)
    expect(await withLock('Ethereum', session, async () => undefined)).toBe(true)
  })

  test('lost with its session writes nothing more', async () => {
    await clear()
    const cut = withLock('Ethereum', session, async (client) => {
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
      await product.database.superuser.query('SELECT pg_terminate_backend($1)', [rows[0].pid])
      await client.query("INSERT INTO chain_blocks VALUES ('Ethereum', 1, '0x1')")
    })
    await expect(cut).rejects.toThrow()
    expect(await cursor()).toBeUndefined()
    // The server may still be ending the old session.
    const again = async () =>
      expect(await withLock('Ethereum', session, async () => undefined)).toBe(true)
    await vi.waitFor(again, { timeout: 60_000 })
  })
})

describe.skipIf(!hasLitecoind)('on a Bitcoin network', () => {
  let near: Litecoind | undefined
  let far: Litecoind | undefined
  beforeAll(async () => {
    near = await startLitecoind()
    far = await startLitecoind({ peer: near.peer })
  })
  afterAll(async () => {
    await near?.stop()
    await far?.stop()
  })
  afterEach(clear)

  const nodes = (): [Litecoind, Litecoind] => {
    if (!near || !far) throw new Error('no nodes')
    return [near, far]
  }
  const follower = async (): Promise<Followed> => {
    const [{ url, credentialsFile }] = nodes()
    const followed = open({
      network: 'Bitcoin',
      kind: 'bitcoin',
      url,
      credentialsFile,
      genesis: LITECOIN_REGTEST,
      pollSeconds: 1,
      confirmations: 2,
      smallUpTo: 0,
      stuckAfterMinutes: 120,
    })
    await read(followed)
    return followed
  }

  test('a payment is seen before its block, then confirmed', async () => {
    const [node] = nodes()
    const followed = await follower()
    const address = await newWallet('Bitcoin')
    await node.pay(address, '0.5')
    await read(followed)
    const seen = { address, asset: 'BTC', units: '50000000' }
    expect(await payments()).toMatchObject([{ ...seen, state: 'SEEN', mined: false }])
    await node.mine()
    await read(followed)
    expect(await payments()).toMatchObject([{ ...seen, state: 'SEEN', mined: true }])
    await node.mine()
    await read(followed)
    expect(await payments()).toMatchObject([{ ...seen, state: 'CONFIRMED', mined: true }])
  })

  test('a payment with a higher fee replaces the first', async () => {
    const [node] = nodes()
    const followed = await follower()
    const address = await newWallet('Bitcoin')
    const first = await node.ask<string>(
      'sendtoaddress',
      asItsOwn(address),
      '0.25',
      '',
      '',
      false,
      true,
    )
    await read(followed)
    await node.ask('bumpfee', first)
    await read(followed)
    expect((await payments()).map(({ state }) => state).sort()).toEqual(['REPLACED', 'SEEN'])
    await node.mine(2)
    await read(followed)
    expect((await payments()).map(({ state }) => state).sort()).toEqual(['CONFIRMED', 'REPLACED'])
  })

  test('a payment is kept where its block is skipped', async () => {
    const [node] = nodes()
    const followed = await follower()
    const address = await newWallet('Bitcoin')
    await node.pay(address, '0.5')
    await read(followed)
    const { height } = await cursor()
    await node.mine(3)
    await tamper(
      product.database,
      `INSERT INTO block_skips (id, network_name, from_height, to_height) VALUES (gen_random_uuid(), 'Bitcoin', ${height + 1}, ${height + 1})`,
    )
    const block: Node['block'] = async (at, watched) =>
      at === height + 1 ? undefined : followed.node.block(at, watched)
    await read({ ...followed, node: { ...followed.node, block } })
    expect((await cursor()).height).toBe(height + 3)
    expect(await payments()).toMatchObject([{ state: 'SEEN', mined: false }])
    await tamper(product.database, 'DELETE FROM block_skips')
  })

  test('a longer chain of another node takes a payment back', async () => {
    const [node, other] = nodes()
    await expect.poll(() => other.ask('getbestblockhash')).toBe(await node.ask('getbestblockhash'))
    const followed = await follower()
    const address = await newWallet('Bitcoin')
    await other.ask('setnetworkactive', false)
    await node.pay(address, '0.125')
    await node.mine(2)
    await read(followed)
    expect(await payments()).toMatchObject([{ state: 'CONFIRMED' }])
    await other.mine(4)
    await other.ask('setnetworkactive', true)
    await other.ask('addnode', node.peer, 'onetry')
    await expect.poll(() => node.ask('getbestblockhash')).toBe(await other.ask('getbestblockhash'))
    await read(followed)
    // It is back in the pool of this node.
    expect(await payments()).toMatchObject([{ state: 'SEEN', mined: false }])
    await node.mine(2)
    await read(followed)
    expect(await payments()).toMatchObject([{ state: 'CONFIRMED', mined: true }])
  })
})
