import { describe, expect, test } from 'vitest'
import type { BitcoinSettings } from '../../base/configuration/chainsFile.ts'
import { bitcoinBatches } from '../../testing/bitcoinBatches.ts'
import { startFakeNode } from '../../testing/fakeNode.ts'
import { hasLitecoind, LITECOIN_REGTEST } from '../../testing/litecoind.ts'
import { codeOf } from '../../testing/product.ts'
import { estimateFees } from './estimateFees.ts'
import { estimateFeeRate } from './payingNode.ts'

test.each([
  ['0.00002345', 2_345n],
  ['2.3e-05', 2_300n],
  // Nodes relay from 1 satoshi.
  ['0.00000400', 1_000n],
  ['0', undefined],
])('an estimate of %s keeps its decimals', async (feerate, expected) => {
  const { url } = await startFakeNode(({ id }, response) => {
    response.end(`{"id":${id},"result":{"feerate":${feerate}}}`)
  })
  const settings: BitcoinSettings = {
    kind: 'bitcoin',
    network: 'Bitcoin',
    genesis: LITECOIN_REGTEST,
    confirmations: 2,
    url,
    credentialsFile: undefined,
    smallUpTo: 0,
    pollSeconds: 10,
    stuckAfterMinutes: 1_440,
  }
  expect(await estimateFeeRate(settings)).toBe(expected)
})

describe.skipIf(!hasLitecoind)('a batch', () => {
  const of = bitcoinBatches()
  const { giveUp, made } = of

  test('pays no less than a fee rate of a decimal', async () => {
    const [pool, admin] = [of.pool(), of.admin()]
    const { id } = await made([await pool.approved(100)], { feeRate: 2.3 })
    const { fee, feeRate } = await pool.read(admin, id)
    expect(feeRate).toBe(2.3)
    const signed = await pool.node.ask<{ vsize: number }>(
      'decoderawtransaction',
      pool.sign((await pool.file(admin, id)).body.text),
    )
    const satoshis = Math.round(Number(fee) * 100_000_000)
    expect(satoshis).toBeGreaterThanOrEqual(2.3 * signed.vsize)
    // A signature may be a byte shorter.
    expect(satoshis).toBeLessThan(2.3 * (signed.vsize + 1) + 1)
    const wrong = await pool.make(admin, [await pool.approved(100)], { feeRate: 2.3456 })
    expect(codeOf(wrong)).toBe('validation')
    await giveUp(id)
  })

  test('pays what the real node estimates, up to its bound', async () => {
    const [pool, admin] = [of.pool(), of.admin()]
    const { node, product } = pool
    const ids = [await pool.approved(100)]
    const estimated = { feeRate: undefined }
    const { context, database } = product
    const shown = async () => {
      expect(await estimateFees(context)).toEqual({ asked: 1, failed: [] })
      const { rows } = await database.pool.query('SELECT network_name, cents FROM fee_estimates')
      return rows
    }
    const estimate = async () => {
      const { feerate } = await node.ask<{ feerate?: number }>('estimatesmartfee', 6)
      return feerate === undefined ? undefined : Number((feerate * 100_000).toFixed(3))
    }
    expect(await estimate()).toBeUndefined()
    expect(await shown()).toEqual([])
    expect((await pool.make(admin, ids, estimated)).body).toMatchObject({
      code: 'batchImpossible',
      details: { problem: 'noFeeRate' },
    })
    const own = await node.ask<string>('getnewaddress', '', 'bech32')
    while ((await estimate()) === undefined) {
      for (let sent = 0; sent < 3; sent += 1) await node.ask('sendtoaddress', own, '0.01')
      await node.mine(1)
    }
    await pool.look()
    const rate = await estimate()
    expect((await pool.make(admin, ids, { ...estimated, mostFee: '0.000001' })).body).toMatchObject(
      {
        code: 'batchImpossible',
        details: { problem: 'feeAboveBound' },
      },
    )
    const { id } = await made(ids, estimated)
    expect((await pool.read(admin, id)).feeRate).toBe(rate)
    // 43 bytes at some 10 satoshis, up to the next 50 cents.
    expect(await shown()).toEqual([{ network_name: 'Bitcoin', cents: 50n }])
    await giveUp(id)
  })
})
