import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../base/configuration/config.ts'
import { openLog } from '../../base/process/log.ts'
import { ANVIL_CHAIN, type Anvil, hasAnvil, playToken, startAnvil } from '../../testing/anvil.ts'
import { startFakeNode } from '../../testing/fakeNode.ts'
import { chainsFile } from '../../testing/playNode.ts'
import { testProduct } from '../../testing/product.ts'
import { requireNodes } from './requireNodes.ts'

const product = testProduct()
const log = openLog('silent')

describe.skipIf(!hasAnvil)('a start', () => {
  let anvil: Anvil
  let contract: string
  beforeAll(async () => {
    anvil = await startAnvil()
    contract = (await playToken(anvil, 6)).contract
  })
  afterAll(() => anvil?.stop())
  beforeEach(() => product.database.superuser.query('DELETE FROM chains'))

  const start = (entries: object) =>
    requireNodes({ ...product.context, config: readConfig({ CHAINS: chainsFile(entries) }) }, log)
  const evm = (more: object = {}) => ({
    kind: 'evm',
    url: anvil.url,
    chainId: ANVIL_CHAIN,
    ...more,
  })
  const usdc = (decimals: number) => ({ tokens: [{ symbol: 'USDC', contract, decimals }] })
  const states = async () =>
    (
      await product.database.superuser.query(
        'SELECT network_name AS network, state, confirmed IS NOT NULL AS confirmed FROM chains ORDER BY 1',
      )
    ).rows

  test('with the right nodes goes on', async () => {
    await start({ Ethereum: evm(usdc(6)) })
    expect(await states()).toEqual([{ network: 'Ethereum', state: 'UNCHECKED', confirmed: true }])
  })

  test('names every wrong chain and token in one message', async () => {
    const wrong = start({ Ethereum: evm({ chainId: 5 }), Polygon: evm(usdc(18)) })
    await expect(wrong).rejects.toThrow(/- Ethereum: The node is on chain 31337/)
    await expect(wrong).rejects.toThrow(/- Polygon: USDC: the contract says 6 decimals/)
  })

  test('without an answer goes on with a state', async () => {
    await start({ Ethereum: evm({ url: 'http://127.0.0.1:1' }), Polygon: evm() })
    expect(await states()).toEqual([
      { network: 'Ethereum', state: 'AWAY', confirmed: false },
      { network: 'Polygon', state: 'UNCHECKED', confirmed: true },
    ])
  })

  test('asks again for traces, and stops without them', async () => {
    await anvil.ask('anvil_mine', '0x1')
    await start({ Ethereum: evm() })
    await start({ Ethereum: evm({ traces: true }) })
    expect(await states()).toEqual([{ network: 'Ethereum', state: 'UNCHECKED', confirmed: true }])
    const { url } = await startFakeNode(({ method, params, id }, response) => {
      const refused = { id, error: { code: -32601, message: 'no such method' } }
      if (method.startsWith('debug_')) response.end(JSON.stringify(refused))
      else return anvil.ask(method, ...params)
    })
    await start({ Ethereum: evm({ url }) })
    await expect(start({ Ethereum: evm({ url, traces: true }) })).rejects.toThrow(
      '- Ethereum: debug_traceBlockByHash: no such method (-32601)',
    )
  })

  test('leaves a confirmed node that changed to its state', async () => {
    const own = await startAnvil()
    const port = new URL(own.url).port
    const entries = { Ethereum: evm({ url: own.url }) }
    await start(entries)
    await own.stop()
    const other = await startAnvil(['--chain-id', '7', '--port', port])
    await expect(start(entries)).resolves.toBeUndefined()
    await expect(start({ Ethereum: evm({ url: own.url, chainId: 8 }) })).rejects.toThrow(/chain 7/)
    await other.stop()
  })
})
