import { describe, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { bitcoinBatches } from '../../testing/bitcoinBatches.ts'
import { hasLitecoind } from '../../testing/litecoind.ts'
import { codeOf } from '../../testing/product.ts'

describe.skipIf(!hasLitecoind)('a batch beside unexplained coins', () => {
  const of = bitcoinBatches()
  const { rows, giveUp, preview, made, seen } = of

  test('leaves out whom they went to', async () => {
    const [pool, admin] = [of.pool(), of.admin()]
    const payee = newAddress()
    const id = await pool.approved(500, payee)
    const spending = await seen(null, [])
    await rows(
      "INSERT INTO sent_coins (spending_id, output, address, asset, units, decimals) VALUES ($1, 0, $2, 'BTC', 1000000, 8)",
      spending,
      payee,
    )
    await rows(
      "INSERT INTO payout_alarms (id, network_name, kind, spending_id) VALUES ($1, 'Bitcoin', 'UNEXPLAINED', $1)",
      spending,
    )
    const both = [id, await pool.approved(500)]
    const { leftOut } = (await preview(both)).body
    expect(leftOut).toEqual([{ withdrawalId: id, loanId: null, why: 'unexplained' }])
    expect(codeOf(await pool.make(admin, both))).toBe('batchLeavesOut')
    // A mark explains the coins of one withdrawal, and the next one of its owner is paid again.
    await rows('UPDATE payout_alarms SET ended_at = now() WHERE id = $1', spending)
    const batch = await made(both)
    expect((await giveUp(batch.id)).status).toBe(200)
    await rows('DELETE FROM payout_alarms')
    await rows('DELETE FROM spendings WHERE id = $1', spending)
  })
})
