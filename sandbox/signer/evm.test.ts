import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addKey } from '@pool/contract/chain/addressKeys'
import { batchFile, makeBatch } from '@pool/contract/coins/batches'
import { deposit } from '@pool/contract/requests/requests'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAddress } from '../../server/testing/addresses.ts'
import { ANVIL_CHAIN, hasAnvil, ownedToken } from '../../server/testing/anvil.ts'
import { addOwnAddress, approvedWithdrawal, startEvmPool } from '../../server/testing/coinsOut.ts'
import { playSafe } from '../../server/testing/playSafe.ts'
import { person } from '../../server/testing/product.ts'
import { openEvm } from './evm.ts'
import type { NetworkSigner } from './files.ts'
import { openKeys, type SignerKeys } from './keys.ts'

describe.skipIf(!hasAnvil)('a signer of Ethereum', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pool-signer-'))
  let pool: Awaited<ReturnType<typeof startEvmPool>>
  let keys: SignerKeys
  let signer: NetworkSigner
  let usdc: Awaited<ReturnType<typeof ownedToken>>
  beforeAll(async () => {
    pool = await startEvmPool()
    const { anvil, product } = pool
    keys = openKeys(directory)
    const { payer, safe, multiSend } = keys.facts.evm
    usdc = await ownedToken(anvil, 6)
    await playSafe(anvil, { address: safe, multiSend })
    for (const address of [payer, safe]) {
      await anvil.pay(address, 10n ** 18n)
      await usdc.send(address, 1_000_000_000n)
    }
    await addOwnAddress(product, { address: safe, networkName: 'Ethereum', kind: 'SAFE' })
    await addOwnAddress(product, { address: payer, networkName: 'Ethereum', kind: 'PAYER' })
    const tokens = [{ symbol: 'USDC', contract: usdc.contract, decimals: 6 }]
    signer = openEvm({ url: anvil.url, chainId: ANVIL_CHAIN, tokens }, keys)
    await pool.look()
  })
  afterAll(async () => {
    rmSync(directory, { recursive: true })
    await pool?.close()
  })

  /** The file of a batch that pays so many dollars to each address. */
  const fileFor = async (payees: readonly string[], more: object) => {
    const { product, admin } = pool
    const withdrawalIds: string[] = []
    for (const address of payees) {
      const asked = { dollars: 100, address, networkName: 'Ethereum' }
      withdrawalIds.push((await approvedWithdrawal(product, asked)).id)
    }
    const payload = { networkName: 'Ethereum', coin: 'USDC', withdrawalIds, ...more }
    const { body } = await product.call(makeBatch, { token: admin.token, payload })
    const params = { id: body.id }
    return (await product.call(batchFile, { token: admin.token, params })).body.text
  }
  const safeFile = (payees: readonly string[], coin = 'USDC') =>
    fileFor(payees, { format: 'SAFE', payer: keys.facts.evm.safe, coin })
  const idIn = (said: string): string => /0x[0-9a-f]{64}/.exec(said)?.[0] ?? ''
  const statusOf = async (said: string) => {
    const asked = () => pool.anvil.ask<{ status: string }>('eth_getTransactionReceipt', idIn(said))
    await expect.poll(asked).toBeTruthy()
    return (await asked()).status
  }

  test('keeps its keys in a file of its own', () => {
    expect(openKeys(directory).facts).toEqual(keys.facts)
    expect(statSync(join(directory, 'seed')).mode & 0o077).toBe(0)
  })

  test('reads and executes a file of its Safe, once', async () => {
    const payees = [newAddress('Ethereum'), newAddress('Ethereum')]
    const text = await safeFile(payees)
    const read = await signer.read(text)
    expect(read).toMatchObject({ kind: 'Safe file', faults: [] })
    expect(read?.payments.map(({ address, amount, coin }) => [address, amount, coin])).toEqual(
      payees.map((payee) => [payee.toLowerCase(), '100', 'USDC']),
    )
    const before = await pool.balanceOf(keys.facts.evm.safe, 'USDC')
    expect(await statusOf(await signer.send(text))).toBe('0x1')
    for (const payee of payees) expect(await pool.balanceOf(payee, 'USDC')).toBe(100_000_000n)
    expect(await pool.balanceOf(keys.facts.evm.safe, 'USDC')).toBe((before ?? 0n) - 200_000_000n)
    await expect(signer.send(text)).rejects.toThrow('The chain refuses it')
    for (const payee of payees) expect(await pool.balanceOf(payee, 'USDC')).toBe(100_000_000n)
  })

  test('signs no file whose payee was changed', async () => {
    const [payee, thief] = [newAddress('Ethereum'), newAddress('Ethereum')]
    const text = await safeFile([payee], 'ETH')
    const swapped = text.replace(payee, thief)
    expect(swapped).not.toBe(text)
    await expect(signer.send(swapped)).rejects.toThrow('Its hash is not that of its payments.')
    expect(await statusOf(await signer.send(text))).toBe('0x1')
    expect(await pool.balanceOf(payee, 'ETH')).toBe(50_000_000_000_000_000n)
  })

  test('pays a CSV as often as asked', async () => {
    const payees = [newAddress('Ethereum'), newAddress('Ethereum')]
    const text = await fileFor(payees, { format: 'CSV', payer: keys.facts.evm.payer })
    expect((await signer.read(text))?.payments).toHaveLength(2)
    for (const expected of [100_000_000n, 200_000_000n]) {
      await statusOf((await signer.send(text)).split(',').at(-1) ?? '')
      for (const payee of payees) expect(await pool.balanceOf(payee, 'USDC')).toBe(expected)
    }
  })

  test('collects coins, and sends gas first', async () => {
    const { anvil, product, admin } = pool
    const { key, payer } = keys.facts.evm
    await product.call(addKey, { token: admin.token, payload: { networkName: 'Ethereum', key } })
    const from: string[] = []
    for (const dollars of [50, 60]) {
      const owner = await person(product)
      const payload = { userId: owner.id, amount: dollars, networkName: 'Ethereum' }
      const asked = await product.call(deposit, { token: owner.token, payload })
      from.push(asked.body.address)
    }
    await pool.look()
    const [first = '', second = ''] = from
    await usdc.send(first, 50_000_000n)
    await usdc.send(second, 60_000_000n)
    await anvil.pay(second, 10n ** 18n)
    await pool.look()
    const payload = { networkName: 'Ethereum', coin: 'USDC', kind: 'COLLECTION', target: payer }
    const made = await product.call(makeBatch, { token: admin.token, payload })
    const params = { id: made.body.id }
    const { text } = (await product.call(batchFile, { token: admin.token, params })).body
    const read = await signer.read(text)
    expect(read?.payments.map(({ amount, coin }) => `${amount} ${coin}`)).toEqual([
      '60 USDC',
      '50 USDC',
    ])
    const before = (await pool.balanceOf(payer, 'USDC')) ?? 0n
    const said = await signer.send(text)
    expect(said).toContain('Add a block, then sign the file again.')
    expect(await statusOf(said)).toBe('0x1')
    expect(await statusOf((await signer.send(text)).split(',').at(-1) ?? '')).toBe('0x1')
    expect(await pool.balanceOf(payer, 'USDC')).toBe(before + 110_000_000n)
    for (const address of from) expect(await pool.balanceOf(address, 'USDC')).toBe(0n)
    await expect(signer.send(text.replace(first, newAddress('Ethereum')))).rejects.toThrow(
      'The signer has no key of',
    )
  })

  test('pays by hand, and only what it has', async () => {
    const payee = newAddress('Ethereum')
    expect(await statusOf(await signer.payByHand('USDC', payee, '7.5'))).toBe('0x1')
    expect(await pool.balanceOf(payee, 'USDC')).toBe(7_500_000n)
    await expect(signer.payByHand('USDC', payee, '100000')).rejects.toThrow('The chain refuses it')
  })
})
