import { afterEach, expect, test, vi } from 'vitest'
import type { EvmSettings } from '../../base/configuration/chainsFile.ts'
import { openLog } from '../../base/process/log.ts'
import { newAddress } from '../../testing/addresses.ts'
import { PREPARED_CHAIN, startPreparedNode } from '../../testing/preparedNode.ts'
import { testProduct } from '../../testing/product.ts'
import { pauseAfter } from './brake.ts'
import { follow } from './follow.ts'
import { nodeJobs } from './jobs.ts'
import { openNode } from './open.ts'

const product = testProduct()
const query = async (text: string) => (await product.database.superuser.query(text)).rows
const top = async () => (await query('SELECT max(height)::int AS height FROM chain_blocks'))[0]
afterEach(() => query('DELETE FROM chain_blocks; DELETE FROM chains'))

/** A chain of which the first block was read. */
const startBehind = async (blocks: number): Promise<EvmSettings> => {
  const addresses = [newAddress('Ethereum')]
  const chain = { kind: 'evm', blocks, transactions: 1, foreign: 1, ours: 1, addresses } as const
  const { url } = await startPreparedNode(chain)
  const settings = {
    kind: 'evm',
    network: 'Ethereum',
    chainId: PREPARED_CHAIN,
    tokens: [],
    url,
    pollSeconds: 1,
    stuckAfterMinutes: 5,
    unfinalAfterMinutes: 60,
    smallUpTo: 0,
  } as const
  await product.database.superuser.query(
    "INSERT INTO chain_blocks (network_name, height, hash) VALUES ('Ethereum', 0, $1)",
    [await openNode(settings).hashAt(0)],
  )
  return settings
}

test('a follower pauses between writes, not at the head', async () => {
  const settings = await startBehind(100)
  const node = openNode(settings)
  const written: number[] = []
  await follow(
    product.context.db,
    {
      settings,
      node,
      pricing: product.context.config,
      keys: product.context.keys,
      receivers: new Map(),
      brake: () => async (blocks) => void written.push(blocks.length),
    },
    await node.head(),
  )
  expect(written).toEqual([32, 32, 32])
  expect(await top()).toEqual({ height: 100 })
})

test('a job that is behind waits for a busy ledger', async () => {
  const settings = await startBehind(100)
  let busy = 0
  const busyMs = () => {
    busy += 1_000_000
    return busy
  }
  const context = {
    ...product.context,
    config: { ...product.context.config, chains: [settings] },
    ledger: { ...product.context.ledger, busyMs },
  }
  const stopping = new AbortController()
  const running = nodeJobs
    .find(({ name }) => name === 'chain-ethereum')
    ?.run(context, {
      log: openLog('silent'),
      stopping: stopping.signal,
      session: () => product.database.pool.connect(),
      leaveUndone: () => undefined,
    })
  await vi.waitFor(async () => expect((await top()).height).toBeGreaterThan(0), {
    timeout: 60_000,
  })
  stopping.abort()
  await running
  expect(await top()).toEqual({ height: 32 })
})

test('a pause follows the busy time within a limit', () => {
  const blocks = [{ time: 1_000 }, { time: 1_012 }, { time: 1_100 }]
  expect(pauseAfter(0, blocks)).toBe(0)
  expect(pauseAfter(100, blocks)).toBe(1_900)
  expect(pauseAfter(1_000_000, blocks)).toBe(10_000)
  // A node that tells no time, or one that goes back, has no pause.
  expect(pauseAfter(1_000, [{ time: null }, { time: null }])).toBe(0)
  expect(pauseAfter(1_000, [{ time: 5 }, { time: 3 }])).toBe(0)
})
