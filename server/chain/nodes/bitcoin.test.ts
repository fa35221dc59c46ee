import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { chainOf } from '../../base/chains/networks.ts'
import type { BitcoinSettings } from '../../base/configuration/chainsFile.ts'
import { newAddress } from '../../testing/addresses.ts'
import {
  asItsOwn,
  hasLitecoind,
  LITECOIN_REGTEST,
  type Litecoind,
  startLitecoind,
} from '../../testing/litecoind.ts'
import { openBitcoin, satoshis } from './bitcoin.ts'
import type { Node } from './node.ts'

describe.skipIf(!hasLitecoind)('a node of Bitcoin Core’s family', () => {
  let daemon: Litecoind
  beforeAll(async () => {
    daemon = await startLitecoind()
  })
  afterAll(() => daemon?.stop())

  const open = (more: Partial<BitcoinSettings> = {}): Node =>
    openBitcoin(
      {
        network: 'Bitcoin',
        kind: 'bitcoin',
        url: daemon.url,
        credentialsFile: daemon.credentialsFile,
        genesis: LITECOIN_REGTEST,
        pollSeconds: 1,
        confirmations: 2,
        smallUpTo: 0,
        stuckAfterMinutes: 120,
        ...more,
      },
      {},
    )
  const watch = (...addresses: string[]) => ({
    receivers: new Map(addresses.map((address) => [chainOf('Bitcoin').receiver(address), address])),
    inputs: new Set<string>(),
  })

  test('on the named chain is fine', async () => {
    await expect(open().check()).resolves.toBeUndefined()
  })

  test('on another chain is named', async () => {
    await expect(
      open({
        genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      }).check(),
    ).rejects.toMatchObject({
      state: 'OTHER_CHAIN',
      message: 'The node is on Litecoin regtest, and CHAINS names Bitcoin',
    })
  })

  test('without its password is away', async () => {
    await expect(open({ credentialsFile: undefined }).check()).rejects.toMatchObject({
      state: 'AWAY',
      message: 'HTTP 401',
    })
  })

  test('finds an output before and in its block', async () => {
    const [ours, other] = [newAddress(), newAddress()]
    const node = open()
    const id = await daemon.pay(ours, '0.10000001')
    const found = { transaction: id, address: ours, asset: 'BTC', units: 10_000_001n }
    await vi.waitFor(async () =>
      expect(await node.mempool?.(watch(ours))).toMatchObject({
        payments: [{ ...found, isCoinbase: false }],
      }),
    )
    expect(await node.transaction(id)).toEqual({ state: 'PENDING' })
    await daemon.mine()
    expect(await node.mempool?.(watch(ours))).toEqual({ payments: [], spendings: [], spends: [] })
    const head = await node.head()
    const block = await node.block(head.height, watch(ours))
    expect(block).toMatchObject({ hash: head.hash, parent: await node.hashAt(head.height - 1) })
    const [payment] = block?.payments ?? []
    expect(payment).toMatchObject(found)
    expect(payment?.inputs.length).toBeGreaterThan(0)
    expect((await node.block(head.height, watch(other)))?.payments).toEqual([])
    await vi.waitFor(async () =>
      expect(await node.transaction(id)).toEqual({
        state: 'MINED',
        height: head.height,
        hash: head.hash,
        succeeded: true,
      }),
    )
  })

  test('finds every output of a payment to two', async () => {
    const [first, second] = [newAddress(), newAddress()]
    await daemon.ask('sendmany', '', { [asItsOwn(first)]: '0.3', [asItsOwn(second)]: '0.2' })
    await daemon.mine()
    const node = open()
    const { height } = await node.head()
    const payments = (await node.block(height, watch(first, second)))?.payments ?? []
    expect(new Map(payments.map(({ address, units }) => [address, units]))).toEqual(
      new Map([
        [first, 30_000_000n],
        [second, 20_000_000n],
      ]),
    )
    expect(new Set(payments.map(({ output }) => output)).size).toBe(2)
  })

  test('tells the reward of a miner apart', async () => {
    const ours = newAddress()
    await daemon.ask('generatetoaddress', 1, asItsOwn(ours))
    const node = open()
    const { height } = await node.head()
    expect((await node.block(height, watch(ours)))?.payments).toMatchObject([
      { isCoinbase: true, units: 5_000_000_000n, inputs: [] },
    ])
  })

  test('knows nothing of blocks and transactions beyond', async () => {
    const node = open()
    const { height } = await node.head()
    expect(await node.block(height + 1, watch())).toBeUndefined()
    expect(await node.hashAt(height + 1)).toBeUndefined()
    expect(await node.transaction('ab'.repeat(32))).toEqual({ state: 'UNKNOWN' })
  })
})

test.each([
  ['20999999.97690001', 2_099_999_997_690_001n],
  ['5.46e-06', 546n],
  ['1e-8', 1n],
  ['1.50000000000', 150_000_000n],
  ['0.00e-05', 0n],
  ['2E+1', 2_000_000_000n],
])('an amount of %s is read to the satoshi', (text, units) => {
  expect(satoshis(text)).toBe(units)
})

test.each(['1e-9', '0.000000015', '-1', '1e', '', '1e999'])(
  'an amount of %j is refused',
  (text) => {
    expect(() => satoshis(text)).toThrow(/An output has the value/)
  },
)
