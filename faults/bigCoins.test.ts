import { approveBatch, previewBatch } from '@pool/contract/coins/batches'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAddress } from '../server/testing/addresses.ts'
import { payManyTimes } from '../server/testing/bigCoins.ts'
import { addOwnAddress, type BitcoinPool, startBitcoinPool } from '../server/testing/coinsOut.ts'
import { hasLitecoind } from '../server/testing/litecoind.ts'
import { type Person, person } from '../server/testing/product.ts'
import { rounds } from '../server/testing/rounds.ts'
import { longestTurn, MOST_OF_A_TURN } from '../server/testing/turns.ts'

/** Outputs of the transaction, 32 kilobytes for a thousand. A file has all of it for each coin. */
const OUTPUTS = rounds({ full: 3_000, short: 1_000 })

describe.skipIf(!hasLitecoind)('the big coins', () => {
  let pool: BitcoinPool
  let other: Person
  beforeAll(async () => {
    pool = await startBitcoinPool()
    other = await person(pool.product, ['ADMIN'])
    const paid = { address: pool.play.key.addressAt(3), times: OUTPUTS, units: 20_000n }
    await payManyTimes(pool.node, paid)
    await pool.node.mine(2)
    await pool.look()
  })
  afterAll(() => pool?.close())

  /** The batch with its file, which others did not wait for. */
  const made = async (ids: readonly string[], more: object = {}) => {
    const payload = pool.payloadOf(ids, { mostFee: '0.01', ...more })
    const preview = () => pool.product.call(previewBatch, { token: pool.admin.token, payload })
    // The first plan starts the thread.
    await preview()
    expect(await longestTurn(preview)).toBeLessThan(MOST_OF_A_TURN)
    const { id, state, digest } = (await pool.make(pool.admin, ids, more)).body
    if (state === 'WAITING')
      await pool.product.call(approveBatch, {
        token: other.token,
        params: { id },
        payload: { digest },
      })
    return (await pool.file(pool.admin, id)).body.text
  }
  const expectWholePrevious = async (file: string) => {
    type Input = { readonly non_witness_utxo?: { readonly vout: readonly unknown[] } }
    const { inputs } = await pool.node.ask<{ inputs: readonly Input[] }>('decodepsbt', file)
    expect(new Set(inputs.map((each) => each.non_witness_utxo?.vout.length))).toEqual(
      new Set([OUTPUTS + 1]),
    )
    return inputs.length
  }

  test('are paid out while others are served', async () => {
    const file = await made([await pool.approved(300)])
    expect(await expectWholePrevious(file)).toBeGreaterThan(30)
    const signed = pool.sign(file)
    expect(await pool.node.ask('testmempoolaccept', [signed])).toMatchObject([{ allowed: true }])
  })

  test('are collected up to the bound of a file', async () => {
    const cold = newAddress()
    await addOwnAddress(pool.product, { address: cold, networkName: 'Bitcoin', kind: 'COLD' })
    const file = await made([], { kind: 'COLLECTION', target: cold, mostFee: '0.01' })
    const collected = await expectWholePrevious(file)
    expect(collected).toBeGreaterThan(40)
    expect(collected).toBeLessThan(300)
    expect(file.length).toBeLessThan(6_000_000)
  })
})
