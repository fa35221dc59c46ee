import { cents } from '@pool/contract/base/money'
import { v7 } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signEntry } from '../../records/audit/entry.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { beginWith } from '../../testing/months.ts'
import { explaining } from '../../testing/plans.ts'
import { newKeys } from '../../testing/product.ts'
import { checkLedger, findingOf } from '../check/check.ts'
import { openLedger } from '../engine/ledger.ts'
import { transfersOf } from '../sums/transfers.ts'
import { makeMonths } from './months.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.close())

const ask = async (question: string) => (await database.superuser.query(question)).rows
const months = async () =>
  (await ask('SELECT name FROM movement_months ORDER BY begins NULLS FIRST')).map(
    ({ name }) => name,
  )
/** The movements of each month that has some. */
const filled = async () => {
  const rows = await ask(
    'SELECT tableoid::regclass::text AS month, count(*)::int FROM movements GROUP BY 1',
  )
  return Object.fromEntries(rows.map(({ month, count }) => [month, count]))
}

/** Posts a contribution of a cent, whose id begins with this moment. */
const contribute = async (moment: string | number, ledger = openLedger(database.pool)) => {
  const id = typeof moment === 'number' ? v7({ msecs: moment }) : v7({ msecs: Date.parse(moment) })
  const entry = signEntry(newKeys(), {
    by: { name: 'tests', from: 'tests' },
    action: 'capital.contributed',
    subject: { type: 'contribution', id },
    after: {},
  })
  await ledger.post({
    movement: 'capital_contributed',
    id,
    amount: cents(1n),
    note: 'x',
    contributedBy: 'tests',
    entry,
  })
  return id
}

test('months are made three ahead, once', async () => {
  const made = await Promise.all([1, 2, 3].map(() => makeMonths(database.db)))
  expect(made.sort()).toEqual([0, 0, 3])
  const ahead = await ask(
    "SELECT 'movements_' || to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month', 'YYYY_MM') AS name FROM generate_series(1, 3) AS n",
  )
  expect(await months()).toEqual([
    'movements_begin',
    ...ahead.map(({ name }) => name),
    'movements_later',
  ])
})

test('a movement falls into the month of its reference', async () => {
  await beginWith(database, '2026-01')
  await contribute('1970-01-02T00:00:00.000Z')
  await contribute('2026-01-31T23:59:59.999Z')
  await contribute('2026-02-01T00:00:00.000Z')
  await contribute('2026-02-28T23:59:59.999Z')
  await contribute('2026-03-01T00:00:00.000Z')
  await contribute('2099-12-31T00:00:00.000Z')
  expect(await filled()).toEqual({
    movements_begin: 2,
    movements_2026_02: 2,
    movements_2026_03: 1,
    movements_later: 1,
  })
  expect(await ask("SELECT balance FROM accounts WHERE kind = 'reserve'")).toEqual([
    { balance: 6n },
  ])
  expect(findingOf(await checkLedger(database.db))).toBeUndefined()
})

test('movements of a missing month move into it', async () => {
  const next = new Date()
  next.setUTCMonth(next.getUTCMonth() + 1, 3)
  const [early, far] = [await contribute(next.getTime()), await contribute('2099-01-01T00:00:00Z')]
  expect(await filled()).toEqual({ movements_later: 2 })
  expect(await makeMonths(database.db)).toBe(3)
  const month = `movements_${next.toISOString().slice(0, 7).replace('-', '_')}`
  expect(await filled()).toEqual({ [month]: 1, movements_later: 1 })
  expect([
    await transfersOf(database.db, early),
    await transfersOf(database.db, far),
  ]).toMatchObject([[{ amount: 0.01 }], [{ amount: 0.01 }]])
  expect(findingOf(await checkLedger(database.db))).toBeUndefined()
})

test('movements of every month stay final and unique', async () => {
  await beginWith(database, '2026-01')
  for (const moment of ['2026-01-05T00:00:00Z', '2026-02-05T00:00:00Z', '2099-01-01T00:00:00Z']) {
    const id = await contribute(moment)
    const where = `WHERE reference_id = '${id}'`
    for (const change of [
      `UPDATE movements SET amount = 2 ${where}`,
      `DELETE FROM movements ${where}`,
    ])
      await expect(database.owner.query(change)).rejects.toMatchObject({ code: '23001' })
    await expect(
      database.pool.query(`INSERT INTO movements SELECT * FROM movements ${where}`),
    ).rejects.toMatchObject({ code: '23505' })
  }
})

test('readers of movements only postpone new months', async () => {
  const reader = await database.owner.connect()
  await reader.query('BEGIN; SELECT count(*) FROM movements')
  expect(await makeMonths(database.db)).toBe(0)
  await contribute(Date.now())
  await reader.query('COMMIT')
  reader.release()
  expect(await makeMonths(database.db)).toBe(3)
})

test('a story reads only the month of its id', async () => {
  await beginWith(database, '2025-01')
  const ids: string[] = []
  for (let month = 1; month <= 12; month += 1)
    ids.push(await contribute(`2025-${String(month).padStart(2, '0')}-10T00:00:00Z`))
  const { db, rowsRead } = explaining(database)
  const read = await rowsRead(() => transfersOf(db, ids[7] ?? ''))
  expect(Object.keys(read).filter((table) => table.startsWith('movements'))).toEqual([
    'movements_2025_08',
  ])
})
