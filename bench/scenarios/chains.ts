import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import { chainOf } from '../../server/base/chains/networks.ts'
import type { ChainSettings } from '../../server/base/configuration/chainsFile.ts'
import { openNode } from '../../server/chain/nodes/open.ts'
import { chainsFile } from '../../server/testing/playNode.ts'
import {
  PREPARED_CHAIN,
  PREPARED_GENESIS,
  PREPARED_TOKEN,
} from '../../server/testing/preparedNode.ts'
import { passGuard } from '../../server/testing/tamper.ts'
import { type Figure, median } from '../harness/arithmetic.ts'
import { load } from '../harness/plan.ts'
import { type ReaderFigures, type ReaderSetup, read, serve } from '../harness/reader.ts'
import { type Scenario, type Sizes, say } from '../harness/scenario.ts'
import { openStage, type Stage } from '../harness/stage.ts'
import { fromBlockToDialog } from './newBlock.ts'

/** Turns of each way, which alternate. The medians count. */
const TURNS = 7
const MONEY_TURNS = 3

const settingsOf = (kind: 'bitcoin' | 'evm', url: string): ChainSettings => {
  const common = { url, pollSeconds: 1, stuckAfterMinutes: 1_440, smallUpTo: 0 }
  if (kind === 'bitcoin')
    return { ...common, kind, network: 'Bitcoin', genesis: PREPARED_GENESIS, confirmations: 2 }
  return {
    ...common,
    kind,
    network: 'Ethereum',
    chainId: PREPARED_CHAIN,
    unfinalAfterMinutes: 60,
    tokens: [{ symbol: 'USDC', contract: PREPARED_TOKEN, decimals: 6 }],
  }
}

const addWallets = (pool: Pool, network: string, addresses: readonly string[]) =>
  pool.query(
    'INSERT INTO wallets (id, address, network_name) SELECT gen_random_uuid(), address, $1 FROM unnest($2::text[]) AS address',
    [network, addresses],
  )

type Chain = { readonly kind: 'bitcoin' | 'evm'; readonly blocks: number }

/** Follows a chain, in turns with bare calls, and with few and many watched addresses. */
const compare = async (
  { kind, blocks }: Chain,
  { few, many, watched }: { few: Stage; many: Stage; watched: number },
): Promise<readonly Figure[]> => {
  const { network } = settingsOf(kind, 'http://127.0.0.1')
  const { randomAddress } = chainOf(network)
  const addresses = Array.from({ length: 100 }, randomAddress)
  for (const stage of [few, many]) await addWallets(stage.pool(), network, addresses)
  const others = Array.from({ length: watched - addresses.length }, randomAddress)
  await addWallets(many.pool(), network, others)
  const transactions = blocks / 5
  const node = await serve({
    kind,
    blocks,
    transactions,
    foreign: 100,
    ours: transactions,
    addresses,
  })
  try {
    const reading = { settings: settingsOf(kind, node.url), blocks }
    const ways: Readonly<Record<string, ReaderSetup>> = {
      bare: reading,
      few: { ...reading, dataDir: few.environment.DATA_DIR ?? '' },
      many: { ...reading, dataDir: many.environment.DATA_DIR ?? '' },
    }
    const turns: Record<string, ReaderFigures[]> = { bare: [], few: [], many: [] }
    for (let turn = 0; turn < TURNS; turn += 1)
      for (const [way, each] of Object.entries(ways)) turns[way]?.push(await read(each))
    const medianOf = (way: string, of: (each: ReaderFigures) => number) =>
      median((turns[way] ?? []).map(of))
    const rate = (way: string) => medianOf(way, ({ seconds }) => blocks / seconds)
    for (const [way, all] of Object.entries(turns))
      say(
        `${kind}, ${way}: ${all.map(({ seconds }) => Math.round(blocks / seconds)).join(' ')} blocks/s`,
      )
    const loading = medianOf('many', (each) => each.loading)
    return [
      { name: `${kind}: blocks/s`, value: rate('few') },
      { name: `${kind}: blocks/s ÷ bare calls`, value: rate('few') / rate('bare'), least: 0.6 },
      {
        name: `${kind}: blocks/s, ${watched} watched addresses ÷ 100`,
        value: rate('many') / rate('few'),
        least: 0.95,
      },
      { name: `${kind}: first reading of ${watched} addresses, s`, value: loading },
      {
        name: `${kind}: resident memory at the end, MB`,
        value: medianOf('many', (each) => each.late),
      },
      {
        name: `${kind}: resident memory at the end ÷ at a tenth`,
        value: medianOf('many', (each) => each.late / each.early),
        most: 1.2,
      },
    ]
  } finally {
    node.stop()
  }
}

/**
 * Lets the product read the chain from its first block on, whenever it has read it whole. Returns
 * the blocks that it read.
 */
const keepCatchingUp = async (pool: Pool, { blocks, first }: { blocks: number; first: string }) => {
  const stopping = new AbortController()
  const height = async (): Promise<number> =>
    (await pool.query('SELECT max(height)::int AS height FROM chain_blocks')).rows[0].height
  const begin = async () => {
    await pool.query('DELETE FROM payments')
    await pool.query(
      `WITH gone AS (DELETE FROM chain_blocks WHERE height > 0)
       INSERT INTO chain_blocks (network_name, height, hash) VALUES ('Ethereum', 0, $1)
       ON CONFLICT (network_name, height) DO NOTHING`,
      [first],
    )
  }
  const since = performance.now()
  let rounds = 0
  await begin()
  const done = (async () => {
    while (!stopping.signal.aborted) {
      if ((await height()) === blocks) {
        rounds += 1
        await begin()
      }
      await wait(200)
    }
  })()
  /** Blocks a second. */
  return async (): Promise<number> => {
    stopping.abort()
    await done
    const read = rounds * blocks + (await height())
    return read / ((performance.now() - since) / 1_000)
  }
}

/** Investments through HTTP, in turns alone and while the product catches up. */
const besideMoney = async ({ people: most, seconds, warmUp, chainBlocks }: Sizes) => {
  const people = Math.min(most, 10_000)
  const addresses = Array.from({ length: 100 }, chainOf('Ethereum').randomAddress)
  const transactions = chainBlocks / 5
  const chain = { kind: 'evm', blocks: chainBlocks, transactions, foreign: 100 } as const
  const node = await serve({ ...chain, ours: transactions, addresses })
  const { network, ...settings } = settingsOf('evm', node.url)
  const CHAINS = chainsFile({ [network]: settings })
  const stage = await openStage({ people, environment: { CHAINS } })
  try {
    await addWallets(stage.pool(), network, addresses)
    const first = (await openNode(settingsOf('evm', node.url)).hashAt(0)) ?? ''
    const invest = async () => {
      const mix = [{ share: 1, request: { kind: 'invest', people } }] as const
      return (await load({ port: stage.port(), connections: 64, seconds, warmUp, mix })).perSecond
    }
    const whole = async () =>
      (await stage.pool().query('SELECT FROM chain_blocks WHERE height = $1', [chainBlocks]))
        .rowCount
    const turns: Record<'alone' | 'beside' | 'blocks', number[]> = {
      alone: [],
      beside: [],
      blocks: [],
    }
    for (let turn = 0; turn < MONEY_TURNS; turn += 1) {
      // Alone once the chain of the turn before is read.
      while (!(await whole())) await wait(200)
      turns.alone.push(await invest())
      const stop = await keepCatchingUp(stage.pool(), { blocks: chainBlocks, first })
      turns.beside.push(await invest())
      turns.blocks.push(await stop())
    }
    say(
      `investments/s alone ${turns.alone.map(Math.round)}, beside ${turns.beside.map(Math.round)}, blocks/s ${turns.blocks.map(Math.round)}`,
    )
    return [
      { name: 'investments/s beside catching up', value: median(turns.beside) },
      {
        name: 'investments/s beside catching up ÷ alone',
        value: median(turns.beside) / median(turns.alone),
        least: 0.95,
      },
      { name: 'evm: blocks/s beside investments', value: median(turns.blocks) },
    ]
  } finally {
    await stage.close()
    node.stop()
  }
}

const measure = async (sizes: Sizes): Promise<readonly Figure[]> => {
  const { people: watched, chainBlocks: blocks } = sizes
  const open = () => openStage({ people: 10 })
  const stages = { few: await open(), many: await open(), watched }
  const figures: Figure[] = []
  try {
    // Addresses of play people are of no network with a node.
    for (const { pool } of [stages.few, stages.many])
      await passGuard(pool(), 'wallets', "UPDATE wallets SET network_name = 'Solana'")
    for (const kind of ['bitcoin', 'evm'] as const)
      figures.push(...(await compare({ kind, blocks }, stages)))
  } finally {
    await stages.few.close()
    await stages.many.close()
  }
  return [...figures, ...(await besideMoney(sizes)), ...(await fromBlockToDialog())]
}

export const chains: Scenario = {
  name: 'chains',
  title: 'Catching up with a chain',
  run: measure,
}
