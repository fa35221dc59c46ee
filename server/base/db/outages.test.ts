import { health } from '@pool/contract/base/health'
import { cents } from '@pool/contract/base/money'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startSealing } from '../../records/audit/seal.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { investorWith, type Product, startProduct } from '../../testing/product.ts'
import { openLog } from '../process/log.ts'
import { watchOutages } from './outages.ts'

type Line = { readonly level: number; readonly msg: string; readonly failedRequests?: number }

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 50 })

let product: Product
let lines: Line[]
beforeEach(async () => {
  lines = []
  const log = openLog('warn', { write: (line) => void lines.push(JSON.parse(line)) })
  product = await startProduct({}, { log })
  // A warning without a built web app.
  lines.length = 0
})
afterEach(() => product.close())

/** Cuts all connections of the product and refuses new ones, or lets them in again. */
const cut = async (isCut: boolean): Promise<void> => {
  const { superuser } = product.database
  const { rows } = await superuser.query('SELECT current_database() AS name')
  await superuser.query(`ALTER DATABASE "${rows[0].name}" CONNECTION LIMIT ${isCut ? 0 : -1}`)
  if (isCut)
    await superuser.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND usename <> current_user`,
    )
}

test('an outage has a line at its start and end', async () => {
  const investor = await investorWith(product, 100)
  const sealing = startSealing(product.context, openLog('silent'))
  const leave = product.context.hub.follow({
    userId: investor.id,
    everything: false,
    hear: () => undefined,
  })
  for (const outage of [1, 2]) {
    await cut(true)
    await eventually(async () => expect((await product.call(health)).status).toBe(503))
    const failed = lines.length
    for (let n = 0; n < 20; n += 1) expect((await product.call(health)).status).toBe(503)
    await expect(
      requestWithdrawal(product.context, {
        by: { id: investor.id, from: 'tests' },
        amount: cents(1_00n),
      }),
    ).rejects.toMatchObject({ code: 'unavailable' })
    expect(lines).toHaveLength(failed)
    await cut(false)
    await eventually(() => expect(lines).toHaveLength(2 * outage))
    expect(lines.at(-2)).toMatchObject({ level: 50, err: expect.anything() })
    expect(lines.at(-1)).toMatchObject({ level: 40, msg: 'the database answers again' })
    expect(lines.at(-1)?.failedRequests).toBeGreaterThanOrEqual(21)
  }
  leave()
  await sealing.stop()
})

test('a late failure belongs to the outage before it', async () => {
  const log = openLog('warn', { write: (line) => void lines.push(JSON.parse(line)) })
  const { failed, answered, lasts } = watchOutages(log, async () => true)
  const away = new Error('away')
  for (let n = 0; n < 3; n += 1) {
    failed('changes', away)
    answered('changes')
    expect(lasts()).toBe(true)
  }
  await eventually(() => expect(lasts()).toBe(false))
  expect(lines.map(({ level }) => level)).toEqual([50, 40])
})
