/** The process of `reader.ts`. */
import { randomBytes } from 'node:crypto'
import type { ChainSettings } from '../../server/base/configuration/chainsFile.ts'
import { readConfig } from '../../server/base/configuration/config.ts'
import { onSession } from '../../server/base/db/session.ts'
import { idOf, KEY_LENGTH, keysOf } from '../../server/base/keys/keys.ts'
import { follow } from '../../server/chain/nodes/follow.ts'
import { openNode } from '../../server/chain/nodes/open.ts'
import { watchWallets } from '../../server/chain/nodes/watch.ts'
import { type PreparedChain, startPreparedNode } from '../../server/testing/preparedNode.ts'
import { connectTo } from '../../server/testing/process.ts'
import { closedLoop } from './closedLoop.ts'
import { AT_ONCE, type ReaderFigures, type ReaderSetup } from './reader.ts'

type Task = { readonly chain?: PreparedChain; readonly reading?: ReaderSetup }

const resident = (): number => process.memoryUsage.rss() / 2 ** 20

const call = async (url: string, method: string, params: readonly unknown[]) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method, params })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', body, headers })
  return ((await answer.json()) as { result: unknown }).result
}

/** The calls that any reader of the block needs. */
const fetchBlock = async ({ kind, url }: ChainSettings, height: number): Promise<void> => {
  if (kind === 'bitcoin') {
    await call(url, 'getblock', [await call(url, 'getblockhash', [height]), 2])
    return
  }
  const found = await call(url, 'eth_getBlockByNumber', [`0x${height.toString(16)}`, true])
  await call(url, 'eth_getLogs', [{ blockHash: (found as { hash: string }).hash }])
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const since = performance.now()
  await work()
  return (performance.now() - since) / 1_000
}

const readBare = async ({ settings, blocks }: ReaderSetup): Promise<ReaderFigures> => {
  let early = 0
  const seconds = await timed(() =>
    closedLoop(
      async (index) => {
        if (index === Math.floor(blocks / 10)) early = resident()
        await fetchBlock(settings, index + 1)
      },
      { lanes: AT_ONCE, most: blocks },
    ),
  )
  return { seconds, loading: 0, early, late: resident() }
}

/** Follows from the first block on, which is written as the last one read. */
const readByProduct = async (
  { settings, blocks }: ReaderSetup,
  dataDir: string,
): Promise<ReaderFigures> => {
  const { network } = settings
  const { pool, close } = connectTo({ dataDir })
  const client = await pool.connect()
  const node = openNode(settings)
  let early = 0
  const watching: typeof node = {
    ...node,
    block: (height, watched) => {
      if (height === Math.floor(blocks / 10)) early = resident()
      return node.block(height, watched)
    },
  }
  await pool.query('DELETE FROM payments')
  await pool.query('DELETE FROM chain_blocks')
  await pool.query('INSERT INTO chain_blocks (network_name, height, hash) VALUES ($1, 0, $2)', [
    network,
    await node.hashAt(0),
  ])
  const receivers = new Map<string, string>()
  const db = onSession(client)
  const loading = await timed(() => watchWallets(db, network, receivers))
  const head = await node.head()
  const bytes = randomBytes(KEY_LENGTH)
  const keys = keysOf([{ id: idOf(bytes), bytes }])
  const followed = { settings, node: watching, pricing: readConfig({}), keys, receivers }
  const seconds = await timed(() => follow(db, followed, head))
  const late = resident()
  client.release()
  await close()
  return { seconds, loading, early, late }
}

process.once('message', async ({ chain, reading }: Task) => {
  if (chain) {
    const { url } = await startPreparedNode(chain)
    process.send?.(url)
    // Lasts as long as the parent, as the server itself keeps no process.
    process.channel?.ref()
    return
  }
  if (!reading) return
  const { dataDir } = reading
  process.send?.(await (dataDir ? readByProduct(reading, dataDir) : readBare(reading)))
  process.disconnect()
})
