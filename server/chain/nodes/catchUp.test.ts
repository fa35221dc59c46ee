import { afterEach, describe, expect, test } from 'vitest'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import { newAddress } from '../../testing/addresses.ts'
import {
  PREPARED_CHAIN,
  PREPARED_GENESIS,
  PREPARED_TOKEN,
  startPreparedNode,
  unitsOf,
} from '../../testing/preparedNode.ts'
import { testProduct } from '../../testing/product.ts'
import { addWallet } from '../wallets/addWallet.ts'
import { NodeFault } from './fault.ts'
import { follow } from './follow.ts'
import { openNode } from './open.ts'

const product = testProduct()
const query = async (text: string) => (await product.database.superuser.query(text)).rows
const top = () => query('SELECT max(height)::int AS height FROM chain_blocks')

/** A tenth of what `npm run bench -- chains` reads. */
const SIZE = { blocks: 500, transactions: 100, foreign: 100, ours: 100 }

const kinds = {
  bitcoin: {
    network: 'Bitcoin',
    settings: { kind: 'bitcoin', network: 'Bitcoin', genesis: PREPARED_GENESIS, confirmations: 2 },
    asset: 'BTC',
  },
  evm: {
    network: 'Ethereum',
    settings: {
      kind: 'evm',
      network: 'Ethereum',
      chainId: PREPARED_CHAIN,
      unfinalAfterMinutes: 60,
      tokens: [{ symbol: 'USDC', contract: PREPARED_TOKEN, decimals: 6 }],
    },
    asset: 'USDC',
  },
} as const

describe.each(['bitcoin', 'evm'] as const)('a follower of a %s node', (kind) => {
  const { network, settings, asset } = kinds[kind]
  afterEach(() => query('DELETE FROM payments; DELETE FROM chain_blocks; DELETE FROM wallets'))

  test('finds every payment once among thousands of others', async () => {
    const addresses = Array.from({ length: 7 }, () => newAddress(network))
    for (const address of addresses) {
      const by = { name: 'tests', from: 'tests' }
      await addWallet(product.context, { address, networkName: network }, by)
    }
    const { url } = await startPreparedNode({ kind, ...SIZE, addresses })
    const limits = { pollSeconds: 1, stuckAfterMinutes: 5 }
    const followed = {
      settings: { ...settings, url, ...limits } as ChainSettings,
      node: openNode({ ...settings, url, ...limits } as ChainSettings),
      pricing: product.context.config,
      keys: product.context.keys,
      receivers: new Map(),
    }
    const { node } = followed
    await node.check()
    // As after the first look, when the chain had one block.
    await product.database.superuser.query(
      'INSERT INTO chain_blocks (network_name, height, hash) VALUES ($1, 0, $2)',
      [network, await node.hashAt(0)],
    )
    // The blocks before one that fails are kept, and the next look tells of it.
    const fails: typeof node = {
      ...node,
      block: async (height, watched) => {
        if (height === 50) throw new NodeFault('AWAY', 'The node did not answer in time')
        return node.block(height, watched)
      },
    }
    const look = async () =>
      follow(product.context.db, { ...followed, node: fails }, await node.head())
    await look()
    await expect(look()).rejects.toMatchObject({ state: 'AWAY' })
    expect(await top()).toEqual([{ height: 49 }])
    const rows = () =>
      query(
        `SELECT id, address, asset, units::int, state, height::int FROM payments ORDER BY units`,
      )
    // Stops in the middle once, as a process that ends.
    const stopping = new AbortController()
    const stops: typeof node = {
      ...node,
      block: (height, watched) => {
        if (height === SIZE.blocks / 2) stopping.abort()
        return node.block(height, watched)
      },
    }
    const head = await node.head()
    await follow(product.context.db, { ...followed, node: stops, stopping: stopping.signal }, head)
    const half = await rows()
    expect([half.length > 0, half.length < SIZE.ours]).toEqual([true, true])
    await follow(product.context.db, followed, head)
    const found = await rows()
    expect(found.map(({ id: _, ...row }) => row)).toEqual(
      Array.from({ length: SIZE.ours }, (_, number) => ({
        address: addresses[number % addresses.length],
        asset,
        units: unitsOf(number),
        state: 'CONFIRMED',
        height: 1 + Math.floor((number * SIZE.blocks) / SIZE.transactions),
      })),
    )
    await follow(product.context.db, followed, head)
    expect(await rows()).toEqual(found)
    expect(await top()).toEqual([{ height: SIZE.blocks }])
  })
})
