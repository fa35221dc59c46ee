import { previewBatch } from '@pool/contract/batches'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAddress } from '../testing/addresses.ts'
import { payManyTimes } from '../testing/bigCoins.ts'
import { addOwnAddress, type BitcoinPool, startBitcoinPool } from '../testing/coinsOut.ts'
import { hasLitecoind } from '../testing/litecoind.ts'
import { longestTurn, MOST_OF_A_TURN } from '../testing/turns.ts'

describe.skipIf(!hasLitecoind)('coins that large transactions made', () => {
  let pool: BitcoinPool
  beforeAll(async () => {
    pool = await startBitcoinPool()
    // Each coin's file has the whole transaction, of 32 kilobytes.
    const paid = { address: pool.play.key.addressAt(3), times: 1_000, units: 20_000n }
    await payManyTimes(pool.node, paid)
    await pool.node.mine(2)
    await pool.look()
  }, 180_000)
  afterAll(() => pool?.close())

  /** The batch with its file, which others did not wait for. */
  const made = async (ids: readonly string[], more: object = {}) => {
    const payload = pool.payloadOf(ids, { mostFee: '0.01', ...more })
    const preview = () => pool.product.call(previewBatch, { token: pool.admin.token, payload })
    // The first plan starts the thread.
    await preview()
    expect(await longestTurn(preview)).toBeLessThan(MOST_OF_A_TURN)
    const { id } = (await pool.make(pool.admin, ids, more)).body
    const { inputs } = await pool.read(pool.admin, id)
    return { inputs, file: (await pool.file(pool.admin, id)).body.text }
  }
  const expectWholePrevious = async (file: string) => {
    type Input = { readonly non_witness_utxo?: { readonly vout: readonly unknown[] } }
    const { inputs } = await pool.node.ask<{ inputs: readonly Input[] }>('decodepsbt', file)
    expect(new Set(inputs.map((each) => each.non_witness_utxo?.vout.length))).toEqual(
      new Set([1_001]),
    )
    return inputs.length
  }

  test('are paid out while others are served', async () => {
    const { file } = await made([await pool.approved(500)])
    expect(await expectWholePrevious(file)).toBeGreaterThan(50)
  }, 120_000)

  test('are collected up to the bound of a file', async () => {
    const cold = newAddress()
    await addOwnAddress(pool.product, { address: cold, networkName: 'Bitcoin', kind: 'COLD' })
    const { file } = await made([], { kind: 'COLLECTION', target: cold, mostFee: '0.01' })
    const collected = await expectWholePrevious(file)
    expect(collected).toBeGreaterThan(100)
    expect(collected).toBeLessThan(300)
    expect(file.length).toBeLessThan(6_000_000)
  }, 120_000)
})
