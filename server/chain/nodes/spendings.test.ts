import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ChainSettings, EvmSettings } from '../../base/configuration/chainsFile.ts'
import { newAddress } from '../../testing/addresses.ts'
import {
  ANVIL_CHAIN,
  type Anvil,
  hasAnvil,
  type PlayToken,
  playContract,
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
import { addOwn, nodeAddress, type Output, outputTo, spend } from '../../testing/ownCoins.ts'
import { testProduct } from '../../testing/product.ts'
import { type Followed, follow } from './follow.ts'
import { openNode } from './open.ts'

const product = testProduct()
const query = async (text: string) => (await product.database.superuser.query(text)).rows

const clear = () =>
  query('DELETE FROM spendings; DELETE FROM payments; DELETE FROM chain_blocks; DELETE FROM chains')

const open = (settings: ChainSettings): Followed => ({
  settings,
  node: openNode(settings),
  pricing: product.context.config,
  keys: product.context.keys,
  receivers: new Map(),
})
const read = async (followed: Followed): Promise<void> =>
  follow(product.context.db, followed, await followed.node.head())

const spendings = () =>
  query(`SELECT transaction_id AS id, state, height IS NOT NULL AS mined, fee_units > 0 AS costs, fee_asset AS asset,
      (SELECT jsonb_agg(jsonb_build_array(address, asset, units) ORDER BY position DESC) FROM spent_coins WHERE spending_id = s.id) AS spent,
      (SELECT jsonb_agg(jsonb_build_array(address, asset, units) ORDER BY output DESC) FROM sent_coins WHERE spending_id = s.id) AS sent
    FROM spendings AS s ORDER BY seen_at, height, id`)
const states = async () => (await spendings()).map(({ state, mined }) => [state, mined])

describe.skipIf(!hasAnvil)('spendings on an EVM network', () => {
  let anvil: Anvil
  let token: PlayToken
  let followed: Followed
  const payer = () => anvil.payer
  beforeAll(async () => {
    anvil = await startAnvil()
    token = await playToken(anvil, 6)
    await addOwn(product.database, 'Ethereum', anvil.payer)
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

  test('are coins and tokens with the fee of each', async () => {
    const to = newAddress('Ethereum')
    const ids = [await anvil.pay(to, 3n), await token.send(to, 7_000_000n)]
    await read(followed)
    const own = { state: 'SEEN', mined: true, costs: true, asset: 'ETH' }
    expect(await spendings()).toEqual([
      { ...own, id: ids[0], spent: [[payer(), 'ETH', 3]], sent: [[to, 'ETH', 3]] },
      {
        ...own,
        id: ids[1],
        spent: [[payer(), 'USDC', 7_000_000]],
        sent: [[to, 'USDC', 7_000_000]],
      },
    ])
    const { gasUsed, effectiveGasPrice } = await anvil.ask<Record<string, string>>(
      'eth_getTransactionReceipt',
      ids[1],
    )
    expect(
      await query('SELECT fee_units::text AS fee FROM spendings ORDER BY seen_at, height, id'),
    ).toEqual([
      expect.anything(),
      { fee: String(BigInt(gasUsed ?? 0) * BigInt(effectiveGasPrice ?? 0)) },
    ])
    await anvil.ask('anvil_mine', '0x80')
    await read(followed)
    expect(await states()).toEqual([
      ['CONFIRMED', true],
      ['CONFIRMED', true],
    ])
  })

  test('that failed cost their fee and move nothing', async () => {
    const broken = await playContract(anvil, newAddress('Ethereum'), ['revert'])
    await anvil.pay(broken, 5n, { gas: '0x186a0' })
    await read(followed)
    expect(await spendings()).toMatchObject([
      { state: 'SEEN', costs: true, spent: null, sent: null },
    ])
  })

  test('of a Safe are found by its traces', async () => {
    const [safe, to] = [newAddress('Ethereum'), newAddress('Ethereum')]
    await addOwn(product.database, 'Ethereum', safe, 'SAFE')
    await playContract(anvil, safe, [{ send: to, units: 29n }])
    await anvil.ask('anvil_setBalance', safe, '0x1000')
    const [, stranger] = await anvil.ask<string[]>('eth_accounts')
    const [id] = [await anvil.pay(safe, 0n, { from: stranger, gas: '0x186a0' })]
    const traced = { ...followed.settings, traces: true } as EvmSettings
    await read(open(traced))
    expect(await spendings()).toMatchObject([
      { id, costs: false, spent: [[safe, 'ETH', 29]], sent: [[to, 'ETH', 29]] },
    ])
  })

  test('are written once however often they are read', async () => {
    await token.send(newAddress('Ethereum'), 5n)
    await read(followed)
    const before = await spendings()
    await query('DELETE FROM chain_blocks WHERE height = (SELECT max(height) FROM chain_blocks)')
    await read(followed)
    await read(open(followed.settings))
    expect(await spendings()).toEqual(before)
  })

  test.each([1, 3, 6])('are dropped by a reorganisation %i deep', async (depth) => {
    await token.send(newAddress('Ethereum'), 9n)
    for (let mined = 1; mined < depth; mined += 1) await anvil.ask('anvil_mine', '0x1')
    await read(followed)
    expect(await states()).toEqual([['SEEN', true]])
    await anvil.ask('anvil_reorg', depth, [])
    await read(followed)
    expect(await states()).toEqual([['DROPPED', false]])
  })

  test('that were confirmed and vanish are reversed', async () => {
    await anvil.pay(newAddress('Ethereum'), 9n)
    await read(followed)
    await query("UPDATE spendings SET state = 'CONFIRMED', confirmed_at = now()")
    await anvil.ask('anvil_reorg', 1, [])
    await anvil.ask('anvil_mine', '0x1')
    await read(followed)
    expect(await states()).toEqual([['REVERSED', false]])
  })

  test('are replaced by another one with the same nonce', async () => {
    const [first, second] = [newAddress('Ethereum'), newAddress('Ethereum')]
    const nonce = await anvil.ask<string>('eth_getTransactionCount', payer(), 'latest')
    await anvil.pay(first, 9n, { nonce })
    await read(followed)
    await anvil.ask('anvil_reorg', 1, [])
    await anvil.pay(second, 9n, { nonce })
    await read(followed)
    expect(await spendings()).toMatchObject([
      { state: 'REPLACED', mined: false, sent: [[first, 'ETH', 9]] },
      { state: 'SEEN', mined: true, sent: [[second, 'ETH', 9]] },
    ])
  })

  test('between our addresses are payments, too', async () => {
    const cold = newAddress('Ethereum')
    await addOwn(product.database, 'Ethereum', cold, 'COLD')
    await token.send(cold, 11n)
    await read(followed)
    expect(await spendings()).toMatchObject([{ sent: [[cold, 'USDC', 11]] }])
    expect(await query('SELECT address, units::int FROM payments')).toEqual([
      { address: cold, units: 11 },
    ])
  })
})

describe.skipIf(!hasLitecoind)('spendings on a Bitcoin network', () => {
  let node: Litecoind
  beforeAll(async () => {
    node = await startLitecoind()
    await clear()
  })
  afterAll(() => node?.stop())
  afterEach(async () => {
    // The head is read first, and the pool.
    await node.mine(2)
    await clear()
  })

  const follower = async (): Promise<Followed> => {
    const { url, credentialsFile } = node
    const followed = open({
      network: 'Bitcoin',
      kind: 'bitcoin',
      url,
      credentialsFile,
      pollSeconds: 1,
      genesis: LITECOIN_REGTEST,
      confirmations: 2,
      smallUpTo: 0,
      stuckAfterMinutes: 120,
    })
    await read(followed)
    return followed
  }
  /** Pays from the coins of the node's wallet that are not ours. */
  const payFromOthers = async (address: string, coins: string): Promise<string> => {
    const own = await query("SELECT address FROM own_addresses WHERE network_name = 'Bitcoin'")
    const addresses = own.map(({ address }) => asItsOwn(address))
    const found = await node.ask<Output[]>('listunspent', 0, 9_999_999, addresses)
    const outputs = found.map(({ txid, vout }) => ({ txid, vout }))
    if (outputs.length > 0) await node.ask('lockunspent', false, outputs)
    return node.pay(address, coins)
  }
  /** Addresses of ours, and coins on the first of them. */
  const funded = async () => {
    const ours = await nodeAddress(node)
    const change = await nodeAddress(node, 'getrawchangeaddress')
    for (const address of [ours, change]) await addOwn(product.database, 'Bitcoin', address)
    const paid = await payFromOthers(ours, '0.5')
    return { ours, change, output: await outputTo(node, paid, ours) }
  }

  test('are seen in the pool, then confirmed', async () => {
    const followed = await follower()
    const { ours, change, output } = await funded()
    await node.mine()
    await read(followed)
    const to = newAddress()
    const id = await spend(node, { from: [output], to: { [to]: '0.2' }, change })
    await read(followed)
    const [seen] = await spendings()
    const { fee } = await node.ask<{ fee: number }>('getmempoolentry', id)
    const cost = Math.round(fee * 1e8)
    expect(seen).toMatchObject({
      id,
      state: 'SEEN',
      mined: false,
      costs: true,
      asset: 'BTC',
      spent: [[ours, 'BTC', 50_000_000]],
      sent: expect.arrayContaining([
        [to, 'BTC', 20_000_000],
        [change, 'BTC', 30_000_000 - cost],
      ]),
    })
    expect(await query('SELECT fee_units::int AS fee FROM spendings')).toEqual([{ fee: cost }])
    await node.mine()
    await read(followed)
    expect(await states()).toEqual([['SEEN', true]])
    await node.mine()
    await read(followed)
    expect(await states()).toEqual([['CONFIRMED', true]])
  })

  test('with a higher fee replace the first', async () => {
    const followed = await follower()
    const { change, output } = await funded()
    await node.mine()
    await read(followed)
    const first = await spend(node, { from: [output], to: { [newAddress()]: '0.2' }, change })
    await read(followed)
    const { txid } = await node.ask<{ txid: string }>('bumpfee', first)
    await read(followed)
    const byId = async () => new Map((await spendings()).map(({ id, state }) => [id, state]))
    expect(await byId()).toEqual(
      new Map([
        [first, 'REPLACED'],
        [txid, 'SEEN'],
      ]),
    )
    await node.mine(2)
    await read(followed)
    expect(await byId()).toEqual(
      new Map([
        [first, 'REPLACED'],
        [txid, 'CONFIRMED'],
      ]),
    )
  })

  test('of coins from the same reading are found', async () => {
    const followed = await follower()
    const { change, output } = await funded()
    const next = await nodeAddress(node)
    await addOwn(product.database, 'Bitcoin', next)
    const first = await spend(node, { from: [output], to: { [next]: '0.2' }, change })
    const from = await outputTo(node, first, next)
    const second = await spend(node, { from: [from], to: { [newAddress()]: '0.1' }, change })
    await node.mine()
    const last = await outputTo(node, second, change)
    const third = await spend(node, { from: [last], to: { [newAddress()]: '0.05' }, change })
    await node.mine()
    // None of the three was seen before its block.
    await read(followed)
    expect(new Set((await spendings()).map(({ id }) => id))).toEqual(
      new Set([first, second, third]),
    )
  })

  test('in a chain of the pool are found at once', async () => {
    const followed = await follower()
    const { change, output } = await funded()
    const first = await spend(node, { from: [output], to: { [newAddress()]: '0.2' }, change })
    const from = await outputTo(node, first, change)
    const second = await spend(node, { from: [from], to: { [newAddress()]: '0.1' }, change })
    await read(followed)
    expect(new Set((await spendings()).map(({ id }) => id))).toEqual(new Set([first, second]))
  })

  test('with coins of others beside ours tell no fee', async () => {
    const followed = await follower()
    const { ours, change, output } = await funded()
    const foreign = await nodeAddress(node)
    const other = await outputTo(node, await payFromOthers(foreign, '0.3'), foreign)
    const to = { [newAddress()]: '0.7' }
    await node.mine()
    await read(followed)
    await spend(node, { from: [output, other], to, change })
    await read(followed)
    expect(await spendings()).toMatchObject([{ costs: false, spent: [[ours, 'BTC', 50_000_000]] }])
  })

  test('that leave the chain are open again', async () => {
    const followed = await follower()
    const { change, output } = await funded()
    await spend(node, { from: [output], to: { [newAddress()]: '0.2' }, change })
    const [block] = await node.mine(2)
    await read(followed)
    expect(await states()).toEqual([['CONFIRMED', true]])
    await node.ask('invalidateblock', block)
    const [fork] = await node.mineEmpty(3)
    await read(followed)
    // It is back in the pool of this node.
    expect(await states()).toEqual([['SEEN', false]])
    await node.ask('invalidateblock', fork)
    await node.ask('reconsiderblock', block)
    await node.mine(2)
    await vi.waitFor(async () => {
      await read(followed)
      expect(await states()).toEqual([['CONFIRMED', true]])
    })
  })
})
