import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { readConfig } from '../server/base/configuration/config.ts'
import { type Database, openDatabase } from '../server/base/db/connection.ts'
import { openKeys } from '../server/base/keys/keyFile.ts'
import { openLog } from '../server/base/process/log.ts'
import { openLedger } from '../server/ledger/engine/ledger.ts'
import { openPlans } from '../server/ledger/families/knownPlans.ts'
import { fillSandbox } from '../server/operator/demo/fill.ts'
import { ADMIN } from '../server/testing/client.ts'
import { connectTo, dataDirectory } from '../server/testing/process.ts'
import { rounds } from '../server/testing/rounds.ts'
import { killOfDatabase } from './kinds.ts'
import { type Directory, LIMIT, moment } from './run.ts'

/** The rehearsal of a wind-down dies at random moments, and ends at zero (docs/product.md 5.42). */

const SETTINGS = { SUPER_ADMIN_EMAIL: ADMIN.username, SUPER_ADMIN_PASSWORD: ADMIN.password }
/** Most milliseconds from the first step of a run to its end. */
const [WORK, START] = [600, 2_500]

/** A rehearsal of this takes longer than all kills. */
const SIZE = { days: rounds({ full: 40, short: 10 }), investors: rounds({ full: 40, short: 6 }) }

let directory: Directory
beforeEach(() => {
  directory = dataDirectory(inject('preparedData'), SETTINGS)
})
afterEach(() => directory.remove())

const config = () => ({
  ...readConfig({ ...SETTINGS, DATA_DIR: directory.dataDir }),
  databasePoolSize: 1,
})

/** Starts the database, also after a kill, as an operator's command does. */
const opened = async <Result>(work: (database: Database) => Promise<Result>): Promise<Result> => {
  const database = await openDatabase(config(), { log: openLog('silent'), role: 'operator' })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** A sandbox with days of life. */
const fill = (database: Database): Promise<void> => {
  const { db, pool } = database
  const means = { config: config(), db, plans: openPlans(db), ledger: openLedger(pool) }
  const keys = openKeys(means.config)
  return fillSandbox(database, { ...means, keys }, { ...SIZE, password: ADMIN.password })
}

/** The number of audit entries. Undefined while the database starts again. */
const entries = async (): Promise<number | undefined> => {
  const { pool, close } = connectTo(directory)
  try {
    return (await pool.query('SELECT count(*)::int AS count FROM audit_entries')).rows[0]?.count
  } catch {
    return undefined
  } finally {
    await close()
  }
}

const rehearse = (...options: readonly string[]) =>
  ['windDown', 'rehearse', '--default', '20', ...options] as const

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

/** Entries at the last look. */
let known = 0
/** True once there are more. Also while the database starts again it is false. */
const isBusy = async (): Promise<boolean> => {
  const before = known
  known = Math.max(known, (await entries()) ?? 0)
  return known > before
}

/** Kills one run at a random moment. Throws where the rehearsal is over, as that proves nothing. */
const strike = async (atStart: boolean): Promise<boolean> => {
  await isBusy()
  const child = directory.beginning(...rehearse())
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const works = async () => hasEnded(child) || (await isBusy())
  if (!atStart) await expect.poll(works, { timeout: 120_000, interval: 20 }).toBe(true)
  await moment(atStart ? START : WORK)
  child.kill('SIGKILL')
  await ended
  if (child.exitCode === 0) throw new Error('The run is invalid: the rehearsal ended too early.')
  // One that found sessions of the run before has ended by itself.
  return child.exitCode === null
}

/** Rows that did not happen exactly once, with the times of each trace. */
const MANY_TIMES = `
  SELECT * FROM (
    SELECT 'withdrawal' AS noun, t.id,
      (SELECT count(*) FROM movements WHERE reference_id = t.id AND name = 'withdrawal_completed') AS posted,
      (SELECT count(*) FROM audit_entries WHERE subject_id = t.id::text AND action = 'withdrawal.sent') AS told
    FROM transactions AS t WHERE t.type = 'withdrawal' AND t.status = 'COMPLETED'
    UNION ALL SELECT 'repayment', id, (SELECT count(*) FROM loan_repayments WHERE reference = r.reference AND NOT reversed),
      (SELECT count(*) FROM audit_entries WHERE action = 'loan.repaid' AND after ->> 'repayment' = r.id::text)
    FROM loan_repayments AS r WHERE principal + interest > 0 AND NOT reversed
    UNION ALL SELECT 'capital', id,
      (SELECT count(*) FROM movements WHERE reference_id = c.id AND name = 'capital_withdrawn'),
      (SELECT count(*) FROM audit_entries WHERE action = 'capital.withdrawn' AND subject_id = c.id::text)
    FROM capital_withdrawals AS c
  ) AS traces WHERE (posted, told) <> (1, 1)`

test('kill -9 of a rehearsal pays nothing twice', LIMIT, async () => {
  await opened(fill)
  const wanted = rounds({ full: 60, short: 5 })
  let struck = 0
  for (let round = 0; struck < wanted; round += 1) {
    if (await strike(round % 4 === 3)) struck += 1
    // PostgreSQL dies with it, too. The next run starts it again.
    if (round % 5 === 4) await killOfDatabase(directory).inject()
  }
  const json = join(directory.directory, 'report.json')
  // Sessions of a process that was killed a moment ago may still end.
  const finish = async () => (await directory.command(...rehearse('--json', json))).text
  await expect.poll(finish, { timeout: 240_000 }).toContain('the audit trail is whole')
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
    fault: null,
    stoppedBy: null,
    defaultPercent: 20,
    unclaimed: { amount: 0 },
    statements: { untrue: [] },
  })
  for (const check of ['ledgerCheck', 'auditCheck'])
    expect(await directory.command(check)).toMatchObject({ code: 0 })
  expect(await opened(async ({ pool }) => (await pool.query(MANY_TIMES)).rows)).toEqual([])
})
