import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeReadingKey } from '@pool/contract/accounts/readingKeys'
import { cents } from '@pool/contract/base/money'
import { invest } from '@pool/contract/money/investments'
import { listTransactions } from '@pool/contract/requests/transactions'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { addressOf } from '../../base/postgres/cluster.ts'
import { preparePostgresFiles } from '../../base/postgres/files.ts'
import { balanceOf, newInvestor, SETTINGS, signIn } from '../../testing/client.ts'
import { atRest, CHANGED_BY_JOBS, everything } from '../../testing/contents.ts'
import { DUE, openDeskBeside } from '../../testing/deskBeside.ts'
import { connectTo, dataDirectory, type RunningProduct } from '../../testing/process.ts'
import { ask } from '../../testing/request.ts'

/** Restores a backup to a second place and compares both. */

type Directory = ReturnType<typeof dataDirectory>
type Investor = Awaited<ReturnType<typeof newInvestor>>

let original: Directory
let second: Directory
beforeEach(() => {
  original = dataDirectory(inject('preparedData'))
  second = dataDirectory()
})
afterEach(() => Promise.all([original.remove(), second.remove()]))

const databaseOf = ({ dataDir }: Directory) => ({
  ...addressOf(preparePostgresFiles(dataDir, () => undefined)),
  database: 'pool',
})

const invests = (product: RunningProduct, { token, userId }: Investor, amount: number) =>
  ask(product, invest, { token, payload: { userId, amount, durationDays: 12 } })

const signInAgain = async (product: RunningProduct, investor: Investor): Promise<Investor> => ({
  ...investor,
  ...(await signIn(product, { username: investor.email, password: investor.password })),
})

/** Lets a reset of an investor's factors rest, as two super admins do. */
const restReset = async (of: Investor, asker: Investor, decider: Investor): Promise<void> => {
  const { pool, close } = connectTo(original)
  await pool.query(
    `INSERT INTO proposals (id, kind, subject, user_id, payload, language, reason, asked_by, status, decided_by, decided_at, rests_until)
     VALUES (gen_random_uuid(), 'RESET_FACTORS', $1::text, $1::text::uuid, '{}', 'en', 'A lost phone', $2, 'RESTING', $3, now(), now() + interval '1 hour')`,
    [of.userId, asker.userId, decider.userId],
  )
  await close()
}

/** The state of the only proposal, and how many entries tell that it was stopped. */
const resetOf = async (directory: Directory) => {
  const { pool, close } = connectTo(directory)
  const { rows } = await pool.query(
    "SELECT status, (SELECT count(*)::int FROM audit_entries WHERE action = 'factor.resetStopped') AS told FROM proposals",
  )
  await close()
  return rows[0]
}

test('a backup taken under load restores to the requested moment', async () => {
  const archive = join(original.directory, 'archive')
  const backups = join(original.directory, 'backups')
  const settings = { ...SETTINGS, WAL_ARCHIVE: archive, DAY_SECONDS: '86400' }
  const product = await original.start(settings)
  const investor = await newInvestor(product, 100_000)
  const desk = await openDeskBeside(original)
  const loanId = await desk.lend()
  await desk.repay(loanId, DUE)
  await desk.close()

  let answered = 0
  const rush = new AbortController()
  const load = Array.from({ length: 4 }, async () => {
    while (!rush.signal.aborted) {
      const { status } = await invests(product, investor, 10)
      expect(status).toBe(200)
      answered += 1
    }
  })
  await expect.poll(() => answered).toBeGreaterThan(20)
  const before = answered
  const taken = await original.command('backup', backups)
  expect(taken).toMatchObject({
    code: 0,
    text: expect.stringContaining('complete with the log up to'),
  })
  expect(answered).toBeGreaterThan(before)
  rush.abort()
  await Promise.all(load)
  await invests(product, investor, 500)
  await atRest(databaseOf(original))
  const wanted = await everything(databaseOf(original))
  // This must not come back. PostgreSQL needs later log to find the requested moment.
  expect((await invests(product, investor, 250)).status).toBe(200)
  const client = new pg.Client(databaseOf(original))
  await client.connect()
  await client.query('SELECT pg_switch_wal()')
  const { rows } = await client.query('SELECT pg_walfile_name(pg_current_wal_lsn()) AS segment')
  await expect
    .poll(() => readdirSync(archive).filter((name) => name < `${rows[0].segment}`).length)
    .toBeGreaterThan(1)
  await client.end()

  const [name = ''] = readdirSync(backups)
  second.takeKeysOf(original)
  const restored = await second.command(
    'restore',
    join(backups, name),
    '--archive',
    archive,
    '--until',
    wanted.at,
  )
  expect(restored.text).toMatch(/Restored, and whole: \d+ accounts equal their \d+ transfers/)
  expect(restored.code).toBe(0)
  const again = await second.start({ ...SETTINGS, DAY_SECONDS: '86400' })
  expect((await everything(databaseOf(second))).tables).toMatchObject({
    ...wanted.tables,
    ...CHANGED_BY_JOBS,
  })
  const back = await signInAgain(again, investor)
  expect(await balanceOf(again, back)).toBe(100_000 - 10 * answered - 500)
  const lending = await openDeskBeside(second)
  await lending.repay(loanId, cents(101_50n))
  await expect(lending.repay(loanId, DUE)).rejects.toThrow()
  await lending.close()
  expect((await invests(again, back, 250)).status).toBe(200)
})

test('retention deletes no backup for a folder’s name', async () => {
  const backups = join(original.directory, 'backups')
  await original.start(SETTINGS)
  const taken = async (...options: string[]) => {
    const before = new Set(
      readdirSync(original.directory).includes('backups') ? readdirSync(backups) : [],
    )
    const result = await original.command('backup', backups, ...options)
    expect(result.code).toBe(0)
    return { text: result.text, name: readdirSync(backups).find((name) => !before.has(name)) ?? '' }
  }
  const first = await taken()
  const later = '2099-01-01T00-00-00.000Z'
  mkdirSync(join(backups, later))
  const second = await taken('--keep', '1')
  expect(readdirSync(backups).sort()).toEqual([second.name, later].sort())
  expect(second.text).toContain(`${join(backups, first.name)} was deleted.`)
  expect(second.text).toContain(`${join(backups, later)} does not count and was not deleted`)

  // A backup of a clock that ran ahead, as its name and its manifest tell.
  renameSync(join(backups, second.name), join(backups, '2098-01-01T00-00-00.000Z'))
  const third = await taken('--keep', '1')
  expect(readdirSync(backups).sort()).toEqual([third.name, later].sort())
})

test.each(['0', '-1', '1.5', '1e1', 'seven', ''])(
  'a number of %s backups is refused',
  async (keep) => {
    expect((await original.command('backup', original.directory, `--keep=${keep}`)).code).toBe(2)
  },
)

test('a backup restores without an archive, unless it is damaged', async () => {
  const backups = join(original.directory, 'backups')
  const product = await original.start(SETTINGS)
  const investor = await newInvestor(product, 100)
  await restReset(investor, await newInvestor(product, 20), await newInvestor(product, 20))
  const made = await ask(product, makeReadingKey, {
    token: investor.token,
    payload: { name: 'A script', days: 30 },
  })
  expect((await ask(product, listTransactions, { token: made.body.key })).status).toBe(200)
  expect((await original.command('backup', backups)).code).toBe(0)
  expect((await original.command('backup', backups, '--keep', '1')).text).toMatch(/was deleted/)
  const [name = '', ...others] = readdirSync(backups)
  expect(others).toEqual([])
  const backup = join(backups, name)

  second.takeKeysOf(original)
  const restored = await second.command('restore', backup)
  expect(restored.text).toMatch(/Restored, and whole/)
  expect(restored.text).toMatch(
    /Sessions ended: [1-9]\d*\. Keys for reading ended: 1\. Resets of factors stopped: 1\./,
  )
  const again = await second.start(SETTINGS)
  const { token } = investor
  expect((await ask(again, listTransactions, { token: made.body.key })).status).toBe(401)
  expect((await ask(again, listTransactions, { token })).status).toBe(401)
  expect(await balanceOf(again, await signInAgain(again, investor))).toBe(100)
  expect(await resetOf(second)).toEqual({ status: 'STOPPED', told: 1 })
  expect((await second.command('restore', backup)).text).toMatch(
    /There is a database in .* already. Nothing was changed/,
  )

  await again.end('SIGTERM')
  rmSync(second.dataDir, { recursive: true })
  second.takeKeysOf(original)
  writeFileSync(join(backup, 'postgres/global/pg_control'), 'damaged')
  expect(await second.command('restore', backup)).toMatchObject({
    code: 1,
    text: expect.stringMatching(/damaged: .*pg_control is not as it was written/),
  })
  expect(readdirSync(second.dataDir)).not.toContain('postgres')
})
