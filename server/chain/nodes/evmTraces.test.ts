import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvmSettings } from '../../base/configuration/chainsFile.ts'
import { newAddress } from '../../testing/addresses.ts'
import {
  ANVIL_CHAIN,
  type Anvil,
  hasAnvil,
  playContract,
  type Step,
  startAnvil,
} from '../../testing/anvil.ts'
import { startFakeNode } from '../../testing/fakeNode.ts'
import { openEvm } from './evm.ts'
import { COIN, INNER, type Node } from './node.ts'

const newEthereum = () => newAddress('Ethereum')

describe.skipIf(!hasAnvil)('a contract on an EVM network', () => {
  let anvil: Anvil
  beforeAll(async () => {
    anvil = await startAnvil()
  })
  afterAll(() => anvil?.stop())

  const open = (more: Partial<EvmSettings> = {}): Node =>
    openEvm(
      {
        network: 'Ethereum',
        kind: 'evm',
        url: anvil.url,
        chainId: ANVIL_CHAIN,
        tokens: [],
        traces: true,
        pollSeconds: 1,
        stuckAfterMinutes: 5,
        unfinalAfterMinutes: 60,
        smallUpTo: 0,
        ...more,
      },
      {},
    )
  const contract = (...steps: readonly Step[]) => playContract(anvil, newEthereum(), steps)
  /** Pays a contract. Resolves with the outputs of the newest block to these addresses. */
  const paidBy = async (to: string, addresses: readonly string[], node = open()) => {
    const transaction = await anvil.pay(to, 100n, { gas: '0x7a120' })
    const { height } = await node.head()
    const receivers = new Map(addresses.map((each) => [each.toLowerCase(), each]))
    const found = await node.block(height, { receivers, inputs: new Set() })
    return found?.payments.map(({ output, address, asset, units, decimals, ...rest }) => {
      expect([rest.transaction, asset, decimals]).toEqual([transaction, 'ETH', 18])
      return [output, address, units]
    })
  }

  test('pays by a call that traces alone show', async () => {
    const ours = newEthereum()
    const payer = await contract({ send: ours, units: 7n })
    expect(await paidBy(payer, [ours])).toEqual([[INNER, ours, 7n]])
    expect(await paidBy(payer, [ours], open({ traces: false }))).toEqual([])
  })

  test('pays two investors, and one of them twice', async () => {
    const [first, second, other] = [newEthereum(), newEthereum(), newEthereum()]
    const payer = await contract(
      { send: first, units: 3n },
      { send: other, units: 4n },
      { send: second, units: 5n },
      { send: first, units: 3n },
      { send: first, units: 0n },
    )
    expect(await paidBy(payer, [first, second])).toEqual([
      [INNER, first, 3n],
      [INNER - 2, second, 5n],
      [INNER - 3, first, 3n],
    ])
  })

  test('pays nothing by a call that was reverted', async () => {
    const ours = newEthereum()
    const inner = await contract({ send: ours, units: 2n })
    const reverted = await contract({ send: ours, units: 6n }, { send: inner, units: 2n }, 'revert')
    const payer = await contract({ send: reverted, units: 9n }, { send: ours, units: 1n })
    expect(await paidBy(payer, [ours])).toEqual([[INNER, ours, 1n]])
    expect(await paidBy(reverted, [ours])).toEqual([])
  })

  test('pays in the order of its calls, however deep', async () => {
    const [first, second, third] = [newEthereum(), newEthereum(), newEthereum()]
    const deepest = await contract({ send: first, units: 1n })
    const middle = await contract({ send: deepest, units: 1n }, { send: second, units: 2n })
    const payer = await contract({ send: middle, units: 3n }, { send: third, units: 3n })
    expect(await paidBy(payer, [first, second, third])).toEqual([
      [INNER - 2, first, 1n],
      [INNER - 3, second, 2n],
      [INNER - 4, third, 3n],
    ])
  })

  test('pays its own address once, by the outer transfer', async () => {
    const code = await contract({ send: newEthereum(), units: 1n })
    const ours = await contract({ use: code })
    expect(await paidBy(ours, [ours])).toEqual([[COIN, ours, 100n]])
  })

  test('that only lends its code is paid nothing', async () => {
    const ours = await contract({ send: newEthereum(), units: 1n })
    const payer = await contract({ use: ours })
    expect(await paidBy(payer, [ours])).toEqual([])
  })

  test('pays with all that it has at its end', async () => {
    const ours = newEthereum()
    expect(await paidBy(await contract({ end: ours }), [ours])).toEqual([[INNER, ours, 100n]])
  })

  test('is not traced in a block for other payments', async () => {
    const ours = newEthereum()
    await anvil.pay(await contract({ send: ours, units: 7n }), 100n)
    const node = open()
    const { height } = await node.head()
    const receivers = new Map([[ours.toLowerCase(), ours]])
    const watched = { receivers, inputs: new Set<string>(), skipsInner: true }
    expect(await node.block(height, watched)).toMatchObject({ payments: [] })
  })
})

describe('traces of a node', () => {
  const id = `0x${'1'.repeat(64)}`
  const [hash, parentHash] = [`0x${'2'.repeat(64)}`, `0x${'3'.repeat(64)}`]
  const [sender, receiver] = [`0x${'4'.repeat(40)}`, `0x${'5'.repeat(40)}`]
  const block = (from: string) => ({
    hash,
    number: '0x1',
    parentHash,
    timestamp: '0x0',
    logsBloom: `0x${'0'.repeat(512)}`,
    transactions: [{ hash: id, from, nonce: '0x0', to: sender, value: '0x0' }],
  })
  const free = { gasUsed: '0x0', effectiveGasPrice: '0x0' }
  /** A node whose traces of its only block are `answer`. */
  const nodeWith = async (answer: object, from = sender) => {
    const { url } = await startFakeNode(({ method, id: asked }, response) => {
      const receipt = { transactionHash: id, blockHash: hash, blockNumber: '0x1', status: '0x1' }
      const result = {
        eth_chainId: '0x1',
        eth_getBlockByNumber: block(from),
        eth_getBlockTransactionCountByHash: '0x1',
        eth_getTransactionReceipt: { ...receipt, ...free, logs: [] },
      }[method]
      response.end(JSON.stringify({ id: asked, ...(result ? { result } : answer) }))
    })
    const limits = { pollSeconds: 1, stuckAfterMinutes: 5, unfinalAfterMinutes: 60, smallUpTo: 0 }
    const more = { network: 'Ethereum', kind: 'evm', chainId: 1, tokens: [], traces: true } as const
    return openEvm({ url, ...more, ...limits }, {})
  }
  const watched = { receivers: new Map([[receiver, receiver]]), inputs: new Set<string>() }
  const traced = (calls: readonly object[]) => ({
    result: [
      { txHash: id, result: { type: 'CALL', from: sender, to: sender, value: '0x0', calls } },
    ],
  })
  const pays = { type: 'CALL', from: sender, to: receiver, value: '0x5' }

  test('are a state with its words where there are none', async () => {
    const node = await nodeWith({ error: { code: -32601, message: 'no such method' } })
    const refused = {
      state: 'NO_TRACES',
      message: 'debug_traceBlockByHash: no such method (-32601)',
    }
    await expect(node.check()).rejects.toMatchObject(refused)
    await expect(node.block(1, watched)).rejects.toMatchObject(refused)
    const failed = await nodeWith({ result: [{ txHash: id, error: 'execution timeout' }] })
    await expect(failed.block(1, watched)).rejects.toMatchObject({ state: 'NO_TRACES' })
  })

  test('are read at any depth', async () => {
    let call: object = pays
    for (let depth = 0; depth < 1_100; depth += 1)
      call = { type: 'CALL', from: sender, to: sender, value: '0x0', calls: [call] }
    const node = await nodeWith(traced([call]))
    expect(await node.block(1, watched)).toMatchObject({ payments: [{ output: INNER, units: 5n }] })
  })

  test('with a kind of call that moves nothing pay nothing', async () => {
    for (const type of ['DELEGATECALL', 'STATICCALL', 'CALLCODE']) {
      const node = await nodeWith(traced([{ ...pays, type }]))
      expect(await node.block(1, watched)).toMatchObject({ payments: [] })
    }
  })

  test('that lack a transaction are a lie', async () => {
    await expect((await nodeWith({ result: [] })).block(1, watched)).rejects.toMatchObject({
      state: 'LYING',
    })
    await expect((await nodeWith(traced([{ value: 5 }]))).block(1, watched)).rejects.toMatchObject({
      state: 'LYING',
    })
    // Polygon's nodes do not trace what they put into a block themselves.
    const own = await nodeWith({ result: [] }, `0x${'0'.repeat(40)}`)
    expect(await own.block(1, watched)).toMatchObject({ payments: [] })
  })
})
