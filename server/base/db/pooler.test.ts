import type { Change } from '@pool/contract/base/changes'
import { withdraw } from '@pool/contract/requests/requests'
import { afterEach, describe, expect, inject, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { hasPgBouncer, startPgBouncer } from '../../testing/pgbouncer.ts'
import { balanceOf, investorWith, startProduct } from '../../testing/product.ts'
import { openLog } from '../process/log.ts'
import { connect, type Database } from './connection.ts'
import { requireSessions } from './pooler.ts'

const log = openLog('silent')
const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each()
})

/** An empty database, and its name. */
const emptyDatabase = async (): Promise<{ database: TestDatabase; name: string }> => {
  const database = await testDatabase()
  cleanUp.push(database.close)
  const { rows } = await database.superuser.query('SELECT current_database() AS name')
  return { database, name: rows[0].name }
}

test('a database without a pooler is accepted', async () => {
  const { database, name } = await emptyDatabase()
  await requireSessions(database, false)
  const { app } = inject('postgres')
  const address = { ...app, database: name }
  const single = connect(address, 1, log)
  cleanUp.push(single.close)
  await requireSessions(single, false)
})

test('sessions have a timeout, no JIT and ISO dates', async () => {
  const { database, name } = await emptyDatabase()
  await database.superuser.query(`ALTER DATABASE ${name} SET datestyle = 'German, DMY'`)
  const { app, owner } = inject('postgres')
  const opened = connect({ ...app, database: name }, 1, log, {
    owner: { ...owner, database: name },
  })
  cleanUp.push(opened.close)
  for (const pool of [opened.pool, opened.direct, opened.owner])
    for (const [setting, value] of [
      ['statement_timeout', '1min'],
      ['jit', 'off'],
      ['datestyle', expect.stringMatching(/^ISO, /)],
    ])
      expect((await pool.query(`SHOW ${setting}`)).rows).toEqual([
        { [setting === 'datestyle' ? 'DateStyle' : String(setting)]: value },
      ])
  const { rows } = await opened.pool.query(`SELECT '2026-02-03'::date::text AS day, now() AS at`)
  expect(rows).toEqual([{ day: '2026-02-03', at: expect.any(Date) }])
})

test('a session without settings is refused behind a pooler', async () => {
  const { name } = await emptyDatabase()
  const address = { ...inject('postgres').app, database: name }
  const both = connect(address, 1, log, { direct: address })
  cleanUp.push(both.close)
  await expect(requireSessions(both, true)).rejects.toThrow(/lack their settings/)
})

describe.skipIf(!hasPgBouncer)('through PgBouncer', () => {
  const pooler = async (settings?: readonly string[]) => {
    const { address, stop } = await startPgBouncer(inject('postgres').app, settings)
    cleanUp.push(stop)
    return address
  }
  const opened = (database: Database): Database => {
    cleanUp.push(database.close)
    return database
  }

  test.each([[[]], [['ignore_startup_parameters = statement_timeout, options']]])(
    'a way to sessions is required (%j)',
    async (settings) => {
      const { name } = await emptyDatabase()
      const through = { ...(await pooler(settings)), database: name }
      const straight = { ...inject('postgres').app, database: name }
      const alone = opened(connect(through, 2, log))
      await expect(requireSessions(alone, false)).rejects.toThrow(
        /^DATABASE_URL leads .* Set DATABASE_DIRECT_URL/,
      )
      const twice = opened(connect(through, 2, log, { direct: through }))
      await expect(requireSessions(twice, true)).rejects.toThrow(/^DATABASE_DIRECT_URL leads/)
      const owned = opened(connect(straight, 2, log, { owner: through }))
      await expect(requireSessions(owned, false)).rejects.toThrow(/^DATABASE_OWNER_URL leads/)
    },
  )

  test('a pool of many sessions moves money and hears changes', async () => {
    const { database, name } = await emptyDatabase()
    await database.superuser.query(
      `ALTER ROLE pool_app IN DATABASE ${name} SET statement_timeout = '60s';
      ALTER ROLE pool_app IN DATABASE ${name} SET jit = off`,
    )
    const through = { ...(await pooler()), database: name }
    const straight = { ...inject('postgres').app, database: name }
    const pooled = opened(connect(through, 10, log, { direct: straight }))
    await requireSessions(pooled, true)
    const product = await startProduct(
      {},
      { database: { ...database, ...pooled, close: async () => undefined } },
    )
    cleanUp.push(product.close)
    const investor = await investorWith(product, 1_000)
    const heard: Change[] = []
    product.context.hub.follow({
      userId: investor.id,
      everything: false,
      hear: (news) => typeof news === 'object' && void heard.push(...news.changes),
    })
    // Named statements on more connections than sessions.
    await Promise.all(Array.from({ length: 20 }, () => product.context.ledger.payMatured(1)))
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        product.call(withdraw, {
          token: investor.token,
          payload: { userId: investor.id, amount: 10 },
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await balanceOf(product, investor)).toBe(800)
    await vi.waitFor(() => expect(heard.map(({ noun }) => noun)).toContain('transaction'))
  })
})
