import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { cents } from '@pool/contract/base/money'
import { listNotices } from '@pool/contract/reports/notices'
import { v7 } from 'uuid'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { readConfig } from '../../base/configuration/config.ts'
import { findKeys } from '../../base/keys/keyFile.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { record } from '../../records/audit/record.ts'
import { sealAudit } from '../../records/audit/seal.ts'
import { ADMIN, SETTINGS, signIn } from '../../testing/client.ts'
import { age, beginWith } from '../../testing/months.ts'
import { connectTo, dataDirectory } from '../../testing/process.ts'
import { ask } from '../../testing/request.ts'

type Directory = ReturnType<typeof dataDirectory>

let pool: Directory
let second: Directory
beforeEach(() => {
  pool = dataDirectory(inject('preparedData'), SETTINGS)
  second = dataDirectory()
})
afterEach(() => Promise.all([pool.remove(), second.remove()]))

const keys = () => findKeys(readConfig({ DATA_DIR: pool.dataDir }))
const keyFile = () => readFileSync(join(pool.dataDir, 'keys', 'integrity'), 'utf8')
const leaked = (...words: string[]) => pool.command('keys', 'leaked', ...words)

/** Contributes capital of January 2024, and archives that month. */
const archiveMonth = async (archive: string): Promise<void> => {
  const database = connectTo(pool)
  const id = v7({ msecs: Date.UTC(2024, 0, 15) })
  const entry = signEntry(keys(), {
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
  expect(await pool.command('archive', '2024-01', archive)).toMatchObject({ code: 0 })
}

test('a leaked key is replaced wherever it is believed', async () => {
  const [archive, backups] = [join(pool.directory, 'archive'), join(pool.directory, 'backups')]
  const before = await pool.start()
  const [old = ''] = keys().ids
  await archiveMonth(archive)
  const { token } = await signIn(before, ADMIN)
  expect(await pool.command('backup', backups)).toMatchObject({ code: 0 })
  const [early = ''] = await readdir(backups)
  expect(await before.end('SIGTERM')).toBe(0)

  expect(await leaked('00000000')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/There is no key 00000000 in .*Nothing was changed/),
  })
  expect(keys().ids).toEqual([old])
  expect(await leaked(old)).toMatchObject({
    code: 0,
    text: expect.stringMatching(
      /is marked as leaked[\s\S]*1 archived months\. Sessions ended: 1\.[\s\S]*take a new backup/,
    ),
  })
  const [newest, ...rest] = keys().ids
  expect([newest === old, rest, [...keys().leaked.keys()]]).toEqual([false, [old], [old]])

  const after = await pool.start()
  expect((await ask(after, listNotices, { token })).status).toBe(401)
  expect(await pool.command('auditCheck')).toMatchObject({
    code: 0,
    text: expect.stringMatching(/trail is whole[\s\S]*mode of the pool is sandbox, and signed/),
  })
  expect(await pool.command('ledgerCheck', '--archive', archive)).toMatchObject({ code: 0 })
  expect(await pool.command('backup', backups, '--keep', '1')).toMatchObject({
    code: 0,
    text: expect.stringMatching(`${early} was signed with the key ${old}, which leaked`),
  })
  const [kept, late = ''] = (await readdir(backups)).sort()
  expect(kept).toBe(early)
  expect(await after.end('SIGTERM')).toBe(0)

  second.takeKeysOf(pool)
  expect(await second.command('restore', join(backups, early))).toMatchObject({
    code: 1,
    text: expect.stringMatching(
      /which leaked, so anyone may have made it[\s\S]*Nothing was restored/,
    ),
  })
  expect(await second.command('restore', join(backups, late))).toMatchObject({ code: 0 })
})

test('entries after a stated head are named', async () => {
  const product = await pool.start()
  const old = keys()
  const [id = ''] = old.ids
  const database = connectTo(pool)
  const heads: string[][] = []
  const write = async () => {
    await record(database.db, old, {
      by: { name: 'somebody', from: '203.0.113.7' },
      action: 'wallet.deleted',
      subject: { type: 'wallet', id: 'none' },
    })
    await sealAudit({ db: database.db, keys: old })
    const { rows } = await database.pool.query<{ position: string; hash: string }>(
      "SELECT position::text, encode(hash, 'hex') AS hash FROM audit_seals ORDER BY position DESC LIMIT 1",
    )
    heads.push(rows.flatMap(({ position, hash }) => [position, hash]))
  }
  await write()
  await write()
  await database.close()
  expect(await product.end('SIGTERM')).toBe(0)
  const [early = [], late = []] = heads
  const named = { code: 1, text: expect.stringMatching(`leaked key ${id}`) }

  expect(await leaked(id, '--head', early[0] ?? '', late[1] ?? '')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/does not have the known hash at .* No key was marked/),
  })
  expect(keys().leaked.size).toBe(0)
  expect(await leaked(id, '--head', ...early)).toMatchObject({
    code: 0,
    text: expect.stringMatching(/\n\d+ audit entries after that head are signed or sealed with it/),
  })
  expect(keyFile()).toContain(` leaked ${early.join(' ')}\n`)
  expect(await pool.command('auditCheck')).toMatchObject(named)
  // Without a head, a mark stays where it is.
  expect(await leaked(id)).toMatchObject({ code: 0 })
  expect(keyFile()).toContain(` leaked ${early.join(' ')}\n`)
  expect(keys().ids).toHaveLength(2)
  expect(await leaked(id, '--head', ...late)).toMatchObject({ code: 0 })
  expect(keyFile()).toContain(` leaked ${late.join(' ')}\n`)
})

test.each([
  [['leaked']],
  [['leaked', 'all']],
  [['leaked', '01234567', '--head', '12']],
  [['leaked', '01234567', '12', 'a'.repeat(64)]],
  [['show', '--head', '12', 'a'.repeat(64)]],
])('the call %j is refused with the usage', async (words) => {
  expect(await pool.command('keys', ...words)).toMatchObject({
    code: 2,
    text: expect.stringContaining('leaked ID [--head POSITION HASH]'),
  })
})
