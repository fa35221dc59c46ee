import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bitcoin } from '../../base/chains/bitcoin.ts'
import type { BitcoinSettings } from '../../base/configuration/chainsFile.ts'
import { openNode } from '../../chain/nodes/open.ts'
import { pollNode } from '../../chain/nodes/states.ts'
import { newAddress } from '../../testing/addresses.ts'
import {
  hasLitecoind,
  LITECOIN_REGTEST,
  type Litecoind,
  startLitecoind,
} from '../../testing/litecoind.ts'
import { chainsFile } from '../../testing/playNode.ts'
import { type Product, startProduct } from '../../testing/product.ts'
import { reconcile } from './reconcile.ts'

describe.skipIf(!hasLitecoind)('bitcoin compared with the books', () => {
  let node: Litecoind
  let product: Product
  let settings: BitcoinSettings
  beforeAll(async () => {
    node = await startLitecoind()
    const { url, credentialsFile } = node
    const CHAINS = chainsFile({
      Bitcoin: { kind: 'bitcoin', url, credentialsFile, genesis: LITECOIN_REGTEST },
    })
    product = await startProduct({ CHAINS, BREAK_LIMIT: '0' })
    settings = product.context.config.chains[0] as BitcoinSettings
  })
  afterAll(async () => {
    await product?.close()
    await node?.stop()
  })

  const look = async () => {
    const followed = { settings, node: openNode(settings), receivers: new Map() }
    const { config: pricing, keys } = product.context
    const look = { ...followed, pricing, keys }
    expect(await pollNode(product.context.db, look)).toMatchObject({ state: 'FINE' })
  }
  const lines = async () =>
    (
      await product.database.superuser.query(
        `SELECT chain::int, booked::int, pending::int FROM reconciled_lines
         WHERE reconciliation_id = (SELECT id FROM reconciliations ORDER BY at DESC LIMIT 1)`,
      )
    ).rows
  const given = async () => {
    const address = newAddress('Bitcoin')
    await product.database.superuser.query(
      "INSERT INTO wallets (id, address, network_name) VALUES (gen_random_uuid(), $1, 'Bitcoin')",
      [address],
    )
    return address
  }

  test('names shallow blocks, and finds books that differ', async () => {
    const address = await given()
    await look()
    await node.pay(address, '0.5')
    await node.mine(1)
    await look()
    expect(await reconcile(product.context)).toMatchObject({ isWhole: true })
    expect(await lines()).toEqual([{ chain: 50_000_000, booked: 0, pending: 50_000_000 }])
    await node.mine(6)
    await look()
    expect(await reconcile(product.context)).toMatchObject({ isWhole: true })
    expect(await lines()).toEqual([{ chain: 50_000_000, booked: 50_000_000, pending: 0 }])
    await product.database.superuser.query(
      'BEGIN; SET LOCAL session_replication_role = replica; UPDATE coin_movements SET units = units + 3; COMMIT',
    )
    expect(await reconcile(product.context)).toMatchObject({ isWhole: false, isPausing: true })
  })

  test('waits for a block that the follower has read', async () => {
    await node.mine(1)
    const outcome = await reconcile(product.context)
    expect(outcome?.networks).toEqual([{ network: 'Bitcoin', problem: 'BEHIND' }])
    await look()
    expect((await reconcile(product.context))?.networks).toMatchObject([{ problem: null }])
  })

  test('reads satoshis of each script at one block', async () => {
    const [one, other] = [newAddress('Bitcoin'), newAddress('Bitcoin')]
    await node.pay(one, '0.00010547')
    await node.pay(one, '1.1')
    await node.mine(1)
    const scripts = [one, other].map(bitcoin.receiver)
    const read = await openNode(settings).coinsOf?.(scripts)
    expect(read?.block.hash).toBe(await node.ask('getbestblockhash'))
    expect([...(read?.units ?? [])]).toEqual([[scripts[0], 110_010_547n]])
  })
})
