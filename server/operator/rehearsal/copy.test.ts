import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { invest } from '@pool/contract/money/investments'
import { withdraw } from '@pool/contract/requests/requests'
import { afterEach, expect, inject, test } from 'vitest'
import { newInvestor, SETTINGS } from '../../testing/client.ts'
import { dataDirectory } from '../../testing/process.ts'
import { ask } from '../../testing/request.ts'

/** A backup of a real pool is restored for a rehearsal, rehearsed, and never served. */

const directories: ReturnType<typeof dataDirectory>[] = []
const directoryOf = (prepared?: string) => {
  // Days of a product last whole days, as those of a rehearsal do.
  const settings = { ...SETTINGS, DAY_SECONDS: '86400', LOG_LEVEL: 'error' }
  const directory = dataDirectory(prepared, settings)
  directories.push(directory)
  return directory
}
afterEach(async () => {
  await Promise.all(directories.splice(0).map(({ remove }) => remove()))
})

test('a restored copy is rehearsed to zero, and never served', async () => {
  const pool = directoryOf(inject('preparedData'))
  const product = await pool.start()
  const investor = await newInvestor(product, 1_000)
  const { token, userId } = investor
  await newInvestor(product, 250)
  const invested = { userId, amount: 600, durationDays: 12 }
  expect((await ask(product, invest, { token, payload: invested })).successful).toBe(true)
  expect(
    (await ask(product, withdraw, { token, payload: { userId, amount: 150 } })).successful,
  ).toBe(true)
  const backups = join(pool.directory, 'backups')
  expect(await pool.command('backup', backups)).toMatchObject({ code: 0 })
  await product.end('SIGTERM')

  const copy = directoryOf()
  copy.takeKeysOf(pool)
  const [backup = ''] = readdirSync(backups)
  const restored = await copy.command('restore', join(backups, backup), '--for', 'rehearsal')
  expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('never served') })
  await expect(copy.start()).rejects.toThrow(/exited with 1: .*copy of a pool for a rehearsal/s)

  const json = join(copy.directory, 'report.json')
  const rehearsed = await copy.command('windDown', 'rehearse', '--json', json)
  expect(rehearsed).toMatchObject({ code: 0, text: expect.stringContaining('statements of') })
  const { left, unclaimed, statements, fault } = JSON.parse(readFileSync(json, 'utf8'))
  expect([...new Set(Object.values(left))]).toEqual([0])
  expect([unclaimed, statements.untrue, fault]).toEqual([{ investors: 0, amount: 0 }, [], null])
  expect(await copy.command('ledgerCheck')).toMatchObject({ code: 0 })
  const spent = /exited with 1: .*was rehearsed in this database.*cannot be undone/s
  await expect(copy.start()).rejects.toThrow(spent)

  // The pool itself knows nothing of it, until it is rehearsed as a sandbox.
  expect((await (await pool.start()).end('SIGTERM')) ?? 0).toBe(0)
  expect(await pool.command('windDown', 'rehearse')).toMatchObject({ code: 0 })
  await expect(pool.start()).rejects.toThrow(spent)
})
