import { listChains } from '@pool/contract/chain/chains'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EvmSettings } from '../../base/configuration/chainsFile.ts'
import { readConfig } from '../../base/configuration/config.ts'
import { chainsFile } from '../../testing/playNode.ts'
import { type Product, person, testProduct } from '../../testing/product.ts'
import { NodeFault } from './fault.ts'
import type { Head, Node } from './node.ts'
import * as queries from './queries.ts'
import { pollNode } from './states.ts'

const settings: EvmSettings = {
  network: 'Ethereum',
  kind: 'evm',
  url: 'http://127.0.0.1:8545/secret',
  chainId: 1,
  tokens: [],
  pollSeconds: 10,
  stuckAfterMinutes: 5,
  unfinalAfterMinutes: 60,
  smallUpTo: 0,
}

const product: Product = testProduct()
const db = () => product.context.db

/** A node at a head, or with a fault. */
const nodeAt = (found: Head | NodeFault): Node => {
  const unused = () => Promise.reject(new Error('not asked'))
  return {
    check: async () => undefined,
    head: async () => {
      if (found instanceof NodeFault) throw found
      return found
    },
    block: async (height) => ({
      height,
      hash: `0x${height}`,
      parent: `0x${height - 1}`,
      time: 0,
      payments: [],
      spendings: [],
      spends: [],
    }),
    hashAt: async (height) => `0x${height}`,
    transaction: unused,
  }
}
const at = (height: number, finalHeight: number | null = height - 64): Node =>
  nodeAt({ height, hash: `0x${height}`, finalHeight })
const look = (node: Node, stopping?: AbortSignal) =>
  pollNode(db(), {
    settings,
    node,
    pricing: product.context.config,
    keys: product.context.keys,
    receivers: new Map(),
    stopping,
  })
const row = async () =>
  (await product.database.superuser.query("SELECT * FROM chains WHERE network_name = 'Ethereum'"))
    .rows[0]
/** Puts the moments of the row back. */
const age = (minutes: number) =>
  product.database.superuser.query(
    `UPDATE chains SET since = since - $1::interval, checked_at = checked_at - $1::interval,
       height_since = height_since - $1::interval, final_since = final_since - $1::interval`,
    [`${minutes} minutes`],
  )

beforeEach(async () => {
  await product.database.superuser.query('DELETE FROM chains; DELETE FROM chain_blocks')
})

describe('a look at a node', () => {
  test('writes its state, its head and its confirmation', async () => {
    expect(await look(at(100))).toEqual({ state: 'FINE', words: '', changed: true })
    expect(await row()).toMatchObject({
      state: 'FINE',
      height: 100n,
      final_height: 36n,
      confirmed: JSON.stringify(['127.0.0.1:8545', 1, []]),
    })
    expect(await look(at(101))).toMatchObject({ state: 'FINE', changed: false })
  })

  test('keeps the last head while the node is away', async () => {
    await look(at(100))
    await age(3)
    const away = await look(nodeAt(new NodeFault('AWAY', 'ECONNREFUSED')))
    expect(away).toEqual({ state: 'AWAY', words: 'ECONNREFUSED', changed: true })
    const { since } = await row()
    await look(nodeAt(new NodeFault('AWAY', 'HTTP 502')))
    expect(await row()).toMatchObject({ since, words: 'HTTP 502', height: 100n })
  })

  test('calls a chain without new blocks stuck', async () => {
    await look(at(100))
    await age(4)
    expect(await look(at(100))).toMatchObject({ state: 'FINE' })
    await age(2)
    expect(await look(at(100))).toMatchObject({
      state: 'STUCK',
      words: 'No block after 100 for 5 minutes',
    })
    expect(await look(at(101))).toMatchObject({ state: 'FINE', changed: true })
  })

  test('calls a chain without newly final blocks unfinal', async () => {
    await look(at(100, 36))
    await age(61)
    expect(await look(at(200, 36))).toMatchObject({ state: 'UNFINAL' })
    expect(await look(at(201, 37))).toMatchObject({ state: 'FINE' })
    expect(await look(at(202, null))).toMatchObject({
      state: 'UNFINAL',
      words: 'The node names no final block',
    })
  })

  test('believes no final block above the newest one', async () => {
    await look(at(100))
    expect(await look(at(101, 1_000_100))).toMatchObject({
      state: 'LYING',
      words: 'Block 1000100 is final, and block 101 is the newest',
    })
    // Nor one above what was read, where the node has no such blocks.
    const absurd: Node = { ...at(1_000_100, 1_000_100), block: async () => undefined }
    expect(await look(absurd)).toMatchObject({ state: 'AWAY' })
    expect(await look({ ...at(1_000_100, 1_000_100), hashAt: async () => '0x' })).not.toMatchObject(
      {
        state: 'FINE',
      },
    )
    expect(await row()).toMatchObject({ final_height: 36n })
    expect(await look(at(102))).toMatchObject({ state: 'FINE' })
  })

  test('calls a final block that is taken back a lie', async () => {
    await look(at(100, 90))
    for (const _ of [1, 2])
      expect(await look(at(101, 80))).toMatchObject({
        state: 'LYING',
        words: 'Block 90 was final, and now block 80 is',
      })
    expect(await look(at(102, 91))).toMatchObject({ state: 'FINE' })
  })

  test('forgets what another chain named final', async () => {
    await look(at(100, 90))
    const other = { ...at(5_000, 4_900), hashAt: async (height: number) => `0xother${height}` }
    expect(await look(other)).toMatchObject({ state: 'LYING' })
    expect(await look(at(101, 91))).toMatchObject({ state: 'FINE' })
    expect(await row()).toMatchObject({ final_height: 91n })
  })

  test('writes nothing once the process stops', async () => {
    const node = nodeAt(new NodeFault('AWAY', 'aborted'))
    await look(node, AbortSignal.abort())
    expect(await row()).toBeUndefined()
  })
})

describe('staff', () => {
  test('see each network of the file, and no URL', async () => {
    const { context } = product
    const by = await person(product, ['ADMIN'])
    expect((await product.call(listChains, by)).body).toEqual([])
    const path = chainsFile({
      Ethereum: { kind: 'evm', url: settings.url, chainId: 1 },
      Polygon: { kind: 'evm', url: settings.url, chainId: 137 },
    })
    const config = readConfig({ CHAINS: path })
    await look(nodeAt(new NodeFault('BEHIND', 'The node has 1 of 2 blocks')))
    const listed = await queries.listChains({ ...context, config })
    expect(listed).toMatchObject([
      { network: 'Ethereum', state: 'BEHIND', words: 'The node has 1 of 2 blocks', height: null },
      { network: 'Polygon', state: 'UNCHECKED', since: null, checkedAt: null },
    ])
    expect(JSON.stringify(listed)).not.toContain('secret')
    await age(2)
    expect(await queries.readChainAges(context.db, config)).toMatchObject([
      { network: 'Ethereum', state: 'BEHIND', seconds: expect.closeTo(120, -1) },
    ])
  })

  test('see no network as fine whose looks have stopped', async () => {
    const { context } = product
    const config = readConfig({
      CHAINS: chainsFile({ Ethereum: { kind: 'evm', url: settings.url, chainId: 1 } }),
    })
    const listed = async () => (await queries.listChains({ ...context, config }))[0]
    await look(at(100))
    expect(await listed()).toMatchObject({ state: 'FINE' })
    await age(6)
    const stopped = await listed()
    expect(stopped).toMatchObject({ state: 'STOPPED', since: stopped?.checkedAt })
    expect(await queries.readChainAges(context.db, config)).toMatchObject([
      { network: 'Ethereum', state: 'STOPPED', seconds: expect.closeTo(360, -1) },
    ])
    await look(at(101))
    expect(await listed()).toMatchObject({ state: 'FINE' })
  })
})
