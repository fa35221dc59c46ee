import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cents } from '@pool/contract/base/money'
import { v7 } from 'uuid'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { readConfig } from '../../base/configuration/config.ts'
import { openKeys } from '../../base/keys/keyFile.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { age, beginWith } from '../../testing/months.ts'
import { connectTo, dataDirectory } from '../../testing/process.ts'

type Directory = ReturnType<typeof dataDirectory>

let original: Directory
let second: Directory
beforeEach(() => {
  original = dataDirectory(inject('preparedData'))
  second = dataDirectory()
})
afterEach(() => Promise.all([original.remove(), second.remove()]))

/** Contributes capital whose id begins in January 2024, and ages it. */
const contributeEarly = async ({ dataDir }: Directory): Promise<void> => {
  const database = connectTo({ dataDir })
  const id = v7({ msecs: Date.UTC(2024, 0, 15) })
  const entry = signEntry(openKeys(readConfig({ DATA_DIR: dataDir })), {
    by: { name: 'operator tests', from: 'operator' },
    action: 'capital.contributed',
    subject: { type: 'contribution', id },
    after: { amount: 7 },
    reason: 'tests',
  })
  await beginWith(database, '2024-01')
  await openLedger(database.pool).post({
    movement: 'capital_contributed',
    id,
    amount: cents(7_00n),
    note: 'tests',
    contributedBy: 'operator tests',
    entry,
  })
  await age(database, 100)
  await database.close()
}

/** The number of partitions. */
const monthsOf = async (directory: Directory): Promise<number> => {
  const { pool, close } = connectTo(directory)
  const { rows } = await pool.query('SELECT count(*)::int AS months FROM movement_months')
  await close()
  return rows[0].months
}

test('a month is archived, checked, restored and checked again', async () => {
  const archive = join(original.directory, 'archive')
  const backups = join(original.directory, 'backups')
  expect(await original.command('archive', '2024-1', archive)).toMatchObject({
    code: 2,
    text: expect.stringContaining('YYYY-MM DIRECTORY'),
  })
  const product = await original.start()
  expect(await monthsOf(original)).toBe(5)
  await contributeEarly(original)
  expect(await original.command('archive', '2024-01', archive)).toMatchObject({
    code: 0,
    text: expect.stringContaining('/2024-01: 1 movements, SHA-256 '),
  })
  const whole = {
    code: 0,
    text: expect.stringMatching(
      /since 1 signed archived months[\s\S]*The archived months equal their closing balances/,
    ),
  }
  expect(await original.command('ledgerCheck', '--archive', archive)).toMatchObject(whole)
  expect(await original.command('backup', backups)).toMatchObject({ code: 0 })
  expect(await product.end('SIGTERM')).toBe(0)

  second.takeKeysOf(original)
  expect(await second.command('restore', join(archive, '2024-01'))).toMatchObject({
    code: 1,
    text: expect.stringContaining('is an archived month.'),
  })
  const [backup = ''] = readdirSync(backups)
  expect(await second.command('restore', join(backups, backup))).toMatchObject({
    code: 0,
    text: expect.stringMatching(/Restored, and whole/),
  })
  expect(await second.command('ledgerCheck', '--archive', archive)).toMatchObject(whole)
})
