import type { Pool } from 'pg'
import { chainOf } from '../../server/base/chains/networks.ts'
import type { ChainSettings } from '../../server/base/configuration/chainsFile.ts'
import { readConfig } from '../../server/base/configuration/config.ts'
import { openKeys } from '../../server/base/keys/keyFile.ts'
import { postCoins } from '../../server/coins/custody/postCoins.ts'
import { reconcile } from '../../server/coins/reconciliation/reconcile.ts'
import {
  PREPARED_CHAIN,
  PREPARED_GENESIS,
  PREPARED_TOKEN,
} from '../../server/testing/preparedNode.ts'
import { connectTo } from '../../server/testing/process.ts'
import { passGuard } from '../../server/testing/tamper.ts'
import { type Figure, median } from '../harness/arithmetic.ts'
import { HASH, HEIGHT, serveBalances, UNITS } from '../harness/balanceNode.ts'
import { type Scenario, type Sizes, say } from '../harness/scenario.ts'
import { openStage, type Stage } from '../harness/stage.ts'

/** Comparisons of each size, of which the median counts. */
const TURNS = 3

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

/** Addresses with a confirmed payment each, below a block that was read. */
const fill = async (pool: Pool, kind: 'bitcoin' | 'evm', count: number): Promise<void> => {
  const { network } = settingsOf(kind, 'http://127.0.0.1')
  const addresses = Array.from({ length: count }, chainOf(network).randomAddress)
  const [asset, decimals, hash] = kind === 'evm' ? ['USDC', 6, `0x${HASH}`] : ['BTC', 8, HASH]
  await pool.query(
    'INSERT INTO wallets (id, address, network_name) SELECT gen_random_uuid(), address, $1 FROM unnest($2::text[]) AS address',
    [network, addresses],
  )
  await pool.query(
    `INSERT INTO payments (id, network_name, transaction_id, output, address, asset, units, decimals, state, height, block_hash, confirmed_at)
     SELECT gen_random_uuid(), $1, 'paid ' || n, 0, address, $3, $4, $5, 'CONFIRMED', 1, 'one', now()
     FROM unnest($2::text[]) WITH ORDINALITY AS paid (address, n)`,
    [network, addresses, asset, UNITS, decimals],
  )
  await pool.query(
    `INSERT INTO chains (network_name, state, height, final_height, followed_since) VALUES ($1, 'FINE', $2, $2, now())`,
    [network, HEIGHT],
  )
  await pool.query('INSERT INTO chain_blocks VALUES ($1, $2, $3)', [network, HEIGHT, hash])
}

type Compared = { readonly posting: number; readonly comparing: number }

const measure = async (stage: Stage, settings: ChainSettings, count: number): Promise<Compared> => {
  await fill(stage.pool(), settings.kind === 'evm' ? 'evm' : 'bitcoin', count)
  const { db, close } = connectTo({ dataDir: stage.environment.DATA_DIR ?? '' })
  try {
    const config = readConfig(stage.environment)
    const context = { config: { ...config, chains: [settings] }, db, keys: openKeys(config) }
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      const since = performance.now()
      await work()
      return (performance.now() - since) / 1_000
    }
    const posting = await timed(() => postCoins(db, config))
    const turns: number[] = []
    for (let turn = 0; turn < TURNS; turn += 1)
      turns.push(
        await timed(async () => {
          const outcome = await reconcile(context)
          if (!outcome?.isWhole || outcome.networks.some(({ problem }) => problem !== null))
            throw new Error(`${settings.network} was not compared as whole`)
        }),
      )
    say(
      `${settings.kind}, ${count} addresses: posted in ${posting.toFixed(1)} s, compared in ${turns.map((each) => each.toFixed(2)).join(' ')} s`,
    )
    return { posting, comparing: median(turns) }
  } finally {
    await close()
  }
}

const run = async ({ people: many }: Sizes): Promise<readonly Figure[]> => {
  const few = Math.max(1_000, many / 100)
  const node = await serveBalances()
  const figures: Figure[] = []
  try {
    for (const kind of ['bitcoin', 'evm'] as const) {
      const found: Compared[] = []
      for (const count of [few, many]) {
        const stage = await openStage({ people: 10 })
        try {
          // Addresses of play people are of no network with a node.
          await passGuard(stage.pool(), 'wallets', "UPDATE wallets SET network_name = 'Solana'")
          found.push(await measure(stage, settingsOf(kind, node.url), count))
        } finally {
          await stage.close()
        }
      }
      const [small, large] = found
      if (!small || !large) continue
      figures.push(
        { name: `${kind}: comparison of ${many} addresses, s`, value: large.comparing },
        {
          name: `${kind}: time per address, ${many} ÷ ${few}`,
          value: large.comparing / many / (small.comparing / few),
          most: 1.2,
        },
        { name: `${kind}: payments booked/s`, value: many / large.posting },
      )
    }
  } finally {
    node.stop()
  }
  return figures
}

export const reconciliation: Scenario = {
  name: 'reconciliation',
  title: 'Coins compared with the books',
  run,
}
