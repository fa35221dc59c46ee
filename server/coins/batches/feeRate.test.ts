import { describe, expect, test } from 'vitest'
import type { BitcoinSettings } from '../../base/configuration/chainsFile.ts'
import { bitcoinBatches } from '../../testing/bitcoinBatches.ts'
import { startFakeNode } from '../../testing/fakeNode.ts'
import { hasLitecoind, LITECOIN_REGTEST } from '../../testing/litecoind.ts'
import { codeOf } from '../../testing/product.ts'
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
})
