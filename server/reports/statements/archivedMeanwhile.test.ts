import { cents } from '@pool/contract/base/money'
import { readPoolStatement } from '@pool/contract/reports/poolStatements'
import { readStatement, statementSchema } from '@pool/contract/reports/statements'
import type { Pool } from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { archiveMonth } from '../../ledger/archive/archiveMonth.ts'
import { filesIn } from '../../testing/archives.ts'
import { testDatabase } from '../../testing/database.ts'
import { age, beginWith } from '../../testing/months.ts'
import { codeOf, fund, person, startProduct } from '../../testing/product.ts'

afterAll(() => void vi.useRealTimers())

/** The pool of the owner, whose commits wait for a promise. */
const committingAfter = (owner: Pool, moment: Promise<unknown>): Pick<Pool, 'connect'> => ({
  connect: (async () => {
    const client = await owner.connect()
    const query = client.query.bind(client) as (text: unknown, values?: unknown) => Promise<unknown>
    const held = async (text: unknown, values?: unknown) => {
      if (text === 'COMMIT') await moment
      return query(text, values)
    }
    return Object.assign(client, { query: held })
  }) as Pool['connect'],
})

test('a statement misses no month that is archived meanwhile', async () => {
  const database = await testDatabase()
  const enter = (month: string) => vi.setSystemTime(Date.parse(`${month}-15T00:00:00Z`))
  vi.useFakeTimers({ toFake: ['Date'] })
  enter('2022-01')
  await beginWith(database, '2022-01')
  const product = await startProduct({}, { database })
  try {
    const investor = await person(product)
    const admin = await person(product, ['ADMIN'])
    await fund(product, investor, cents(500_00n))
    enter('2022-02')
    await fund(product, investor, cents(70_00n))
    await age(database, 100)

    const commit = Promise.withResolvers<void>()
    const { keys } = product.context
    const archived = archiveMonth(committingAfter(database.owner, commit.promise) as Pool, {
      keys,
      month: '2022-01',
      write: async ({ rows }) => {
        let movements = 0
        for await (const batch of rows) movements += batch.length
        return { sha256: '', movements }
      },
    })
    const waiting = async (mode: string, granted: boolean) =>
      (
        await database.superuser.query(
          "SELECT FROM pg_locks WHERE relation = 'movements'::regclass AND mode = $1 AND granted = $2",
          [mode, granted],
        )
      ).rowCount
    const until = (mode: string, granted: boolean, count: number) =>
      vi.waitFor(async () => expect(await waiting(mode, granted)).toBe(count), { timeout: 60_000 })
    await until('AccessExclusiveLock', true, 1)
    const year = new Date((await database.pool.query('SELECT now()')).rows[0]?.now).getUTCFullYear()
    const own = product.call(readStatement, {
      token: investor.token,
      params: { period: String(year), form: 'json' },
    })
    const pools = product.call(readPoolStatement, {
      token: admin.token,
      params: { period: String(year - 1), form: 'json' },
    })
    await until('AccessShareLock', false, 2)
    commit.resolve()
    expect(await archived).toMatchObject({ month: '2022-01' })
    const [file] = Object.values(filesIn((await own).body))
    expect(statementSchema.parse(JSON.parse(String(file))).closing.total).toBe('570.00')
    expect(codeOf(await pools)).toBe('statementArchived')
  } finally {
    await product.close()
  }
})
