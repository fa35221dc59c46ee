import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvmSettings } from '../../base/configuration/chainsFile.ts'
import { newAddress } from '../../testing/addresses.ts'
import {
  ANVIL_CHAIN,
  type Anvil,
  hasAnvil,
  type PlayToken,
  playToken,
  startAnvil,
} from '../../testing/anvil.ts'
import { openEvm } from './evm.ts'
import { COIN, type Node, type Payment } from './node.ts'

describe.skipIf(!hasAnvil)('an EVM node', () => {
  let anvil: Anvil
  let token: PlayToken
  beforeAll(async () => {
    anvil = await startAnvil()
    token = await playToken(anvil, 6)
  })
  afterAll(() => anvil?.stop())

  const settings = (more: Partial<EvmSettings> = {}): EvmSettings => ({
    network: 'Ethereum',
    kind: 'evm',
    url: anvil.url,
    chainId: ANVIL_CHAIN,
    tokens: [{ symbol: 'USDC', contract: token.contract, decimals: 6 }],
    pollSeconds: 1,
    stuckAfterMinutes: 5,
    unfinalAfterMinutes: 60,
    smallUpTo: 0,
    ...more,
  })
  const open = (more?: Partial<EvmSettings>): Node => openEvm(settings(more), {})
  const watch = (...addresses: string[]) => ({
    receivers: new Map(addresses.map((address) => [address.toLowerCase(), address])),
    inputs: new Set<string>(),
  })
  /** Payments of the newest block to watched addresses. */
  const paid = async (...addresses: string[]): Promise<readonly Payment[] | undefined> => {
    const node = open()
    const { height } = await node.head()
    return (await node.block(height, watch(...addresses)))?.payments
  }

  test('on the named chain with its tokens is fine', async () => {
    await expect(open().check()).resolves.toBeUndefined()
  })

  test('on another chain is named with both numbers', async () => {
    await expect(open({ chainId: 1 }).check()).rejects.toMatchObject({
      state: 'OTHER_CHAIN',
      message: `The node is on chain ${ANVIL_CHAIN}, and CHAINS names 1`,
    })
  })

  test('refuses other decimals and contracts without token', async () => {
    const named = (contract: string, decimals: number) =>
      open({ tokens: [{ symbol: 'USDC', contract, decimals }] }).check()
    await expect(named(token.contract, 18)).rejects.toMatchObject({
      state: 'WRONG_TOKEN',
      message: 'USDC: the contract says 6 decimals, and CHAINS names 18',
    })
    await expect(named(newAddress('Ethereum').toLowerCase(), 6)).rejects.toMatchObject({
      state: 'WRONG_TOKEN',
    })
  })

  test('finds coins by address, and none without value', async () => {
    const [ours, other] = [newAddress('Ethereum'), newAddress('Ethereum')]
    const id = await anvil.pay(ours, 10n ** 18n + 1n)
    expect(await paid(ours)).toEqual([
      {
        transaction: id,
        output: COIN,
        address: ours,
        asset: 'ETH',
        units: 10n ** 18n + 1n,
        decimals: 18,
        inputs: [expect.stringMatching(/^0x[0-9a-f]{40}:\d+$/)],
        isCoinbase: false,
      },
    ])
    expect(await paid(other)).toEqual([])
    await anvil.pay(ours, 0n)
    expect(await paid(ours)).toEqual([])
  })

  test('finds tokens by the ordinal of their log', async () => {
    const [first, second] = [newAddress('Ethereum'), newAddress('Ethereum')]
    await anvil.ask('evm_setAutomine', false)
    // Pays more, and so comes first with the first log of the block.
    const dear = { gasPrice: '0x2e90edd000' }
    const other = await token.send(newAddress('Ethereum'), 5n, dear)
    const both = await token.sendBoth(first, second, 2_500_000n)
    await anvil.ask('evm_mine')
    await anvil.ask('evm_setAutomine', true)
    const payments = await paid(first, second)
    expect(
      payments?.map(({ transaction, output, address, asset, units }) => [
        transaction,
        output,
        address,
        asset,
        units,
      ]),
    ).toEqual([
      [both, 0, first, 'USDC', 2_500_000n],
      [both, 1, second, 'USDC', 2_500_000n],
    ])
    expect(other).not.toBe(both)
  })

  test('ignores tokens that the operator does not name', async () => {
    const ours = newAddress('Ethereum')
    const unknown = await playToken(anvil, 6, newAddress('Ethereum').toLowerCase())
    await unknown.send(ours, 1_000_000n)
    expect(await paid(ours)).toEqual([])
    await token.send(ours, 0n)
    expect(await paid(ours)).toEqual([])
  })

  test('finds nothing in a transaction that failed', async () => {
    const ours = newAddress('Ethereum')
    // Code that reverts every call.
    await anvil.ask('anvil_setCode', ours, '0x60006000fd')
    const id = await anvil.pay(ours, 5n, { gas: '0x186a0' })
    expect(await paid(ours)).toEqual([])
    expect(await open().transaction(id)).toMatchObject({ state: 'MINED', succeeded: false })
  })

  test('tells the state of a transaction', async () => {
    const node = open()
    expect(await node.transaction(`0x${'ab'.repeat(32)}`)).toEqual({ state: 'UNKNOWN' })
    await anvil.ask('evm_setAutomine', false)
    const id = await anvil.pay(newAddress('Ethereum'), 1n)
    expect(await node.transaction(id)).toEqual({ state: 'PENDING' })
    await anvil.ask('evm_mine')
    await anvil.ask('evm_setAutomine', true)
    const { height, hash } = await node.head()
    expect(await node.transaction(id)).toEqual({ state: 'MINED', height, hash, succeeded: true })
  })

  test('names blocks by height, hash and parent', async () => {
    const node = open()
    await anvil.ask('evm_mine')
    const { height, hash, finalHeight } = await node.head()
    expect(await node.hashAt(height)).toBe(hash)
    expect(await node.block(height, watch())).toMatchObject({
      height,
      hash,
      parent: await node.hashAt(height - 1),
    })
    expect(await node.block(height + 1, watch())).toBeUndefined()
    expect(await node.hashAt(height + 1)).toBeUndefined()
    expect(finalHeight).toBeLessThanOrEqual(height)
  })

  test('away is a state with its reason', async () => {
    await expect(open({ url: 'http://127.0.0.1:1' }).head()).rejects.toMatchObject({
      state: 'AWAY',
    })
  })
})
