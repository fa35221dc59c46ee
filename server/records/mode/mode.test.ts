import { beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../base/configuration/config.ts'
import { onSession } from '../../base/db/session.ts'
import { type Keys, keysOf } from '../../base/keys/keys.ts'
import { LOCKS } from '../../base/locks.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { fundSandbox } from '../../money/reserve/fundSandbox.ts'
import { rewoundDatabase, type TestDatabase } from '../../testing/database.ts'
import { LIVE } from '../../testing/live.ts'
import { newKeys, newSecret } from '../../testing/product.ts'
import { checkAudit } from '../audit/check.ts'
import { auditHead, sealAudit } from '../audit/seal.ts'
import {
  configOfCommand,
  configOfPool,
  recordOrVerifyMode,
  signModeAgain,
  verifiedMode,
} from './mode.ts'

const SANDBOX = { POOL_MODE: 'sandbox' }
const { POOL_MODE: _, ...UNSET } = LIVE

const opened = rewoundDatabase()
let database: TestDatabase
let keys: Keys
beforeEach(async () => {
  database = opened()
  keys = newKeys()
})

const start = (environment: Record<string, string>) =>
  recordOrVerifyMode({ db: database.db, keys, config: readConfig(environment) })
const past = (statement: string) =>
  database.superuser.query(
    `ALTER TABLE pool_mode DISABLE TRIGGER USER; ${statement}; ALTER TABLE pool_mode ENABLE TRIGGER USER`,
  )
const entries = async () =>
  (await database.pool.query("SELECT actor, after FROM audit_entries WHERE action = 'mode.set'"))
    .rows

describe('the mode of a pool', () => {
  test('is set and recorded at the first start', async () => {
    await start(LIVE)
    await start(LIVE)
    expect(await verifiedMode(database.db, keys)).toBe('live')
    expect(await entries()).toEqual([{ actor: 'operator', after: { mode: 'live' } }])
    await sealAudit({ db: database.db, keys })
    expect((await checkAudit({ db: database.db, keys })).firstBreak).toBeUndefined()
  })

  test.each([
    [LIVE, SANDBOX, /^This pool is a live pool for good, and POOL_MODE says sandbox\. Leave/],
    [SANDBOX, LIVE, /^This pool is a sandbox for good, and POOL_MODE says live\. Leave/],
  ])('is not changed by another environment', async (first, other, sentence) => {
    await start(first)
    await expect(configOfPool(database, other)).rejects.toThrow(sentence)
    await expect(configOfCommand(database, readConfig(other))).rejects.toThrow(sentence)
    await expect(start(other)).rejects.toThrow(sentence)
    expect(await entries()).toHaveLength(1)
  })

  test('counts where the environment names none', async () => {
    await start(LIVE)
    expect(await configOfPool(database, UNSET)).toMatchObject({
      poolMode: 'live',
      fallbackDepositAddress: '',
      apiDocs: false,
    })
    await expect(configOfPool(database, {})).rejects.toThrow(/SMTP_URL must be set/)
    // A command needs no settings of a server.
    expect(await configOfCommand(database, readConfig({}))).toMatchObject({ poolMode: 'live' })
  })

  test('is the same for nodes that start at once', async () => {
    const asked = Array.from({ length: 12 }, (_, place) => (place % 2 === 0 ? LIVE : SANDBOX))
    const started = await Promise.allSettled(asked.map(start))
    const mode = await verifiedMode(database.db, keys)
    expect(started.map(({ status }) => status === 'fulfilled')).toEqual(
      asked.map(({ POOL_MODE }) => POOL_MODE === mode),
    )
    expect(await entries()).toHaveLength(1)
  })

  test('waits for the first start of another node', async () => {
    const { superuser } = database
    const other = await superuser.connect()
    await other.query(`SELECT pg_advisory_lock(${LOCKS.mode})`)
    const late = start(SANDBOX).catch(String)
    const waiting =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    await vi.waitFor(async () => expect((await superuser.query(waiting)).rowCount).toBe(1))
    await recordOrVerifyMode({ db: onSession(other), keys, config: readConfig(LIVE) })
    await other.query(`SELECT pg_advisory_unlock(${LOCKS.mode})`)
    other.release()
    expect(await late).toMatch(/is a live pool for good/)
  })

  test('is signed again when its key leaked', async () => {
    const [old, next] = [newSecret(), newSecret()]
    keys = keysOf([old])
    await start(LIVE)
    await sealAudit({ db: database.db, keys })
    const mark = (await auditHead(database.db)) ?? { position: 0n, hash: '' }
    const [before, after] = [keysOf([next, old]), keysOf([next, { ...old, leaked: mark }])]
    const refused = verifiedMode(database.db, after)
    await expect(refused).rejects.toThrow(`Sign it anew: npm run keys -- leaked ${old.id}`)
    await signModeAgain({ ...database, keys: before }, { before, mark })
    expect(await verifiedMode(database.db, after)).toBe('live')

    // A thief of the key and the database makes another row.
    await past('DELETE FROM pool_mode')
    keys = keysOf([old])
    const set_at = new Date()
    const mac = keys.sign('pool mode', JSON.stringify(['sandbox', set_at.toISOString()]))
    await database.db.insertInto('pool_mode').values({ mode: 'sandbox', set_at, mac }).execute()
    const forged = signModeAgain({ ...database, keys: before }, { before, mark })
    await expect(forged).rejects.toThrow(/is sandbox, and the audit trail says live/)
  })

  test('stops the start when no key signed it', async () => {
    await start(LIVE)
    await past("UPDATE pool_mode SET mode = 'sandbox'")
    const sentence = /says that this pool is sandbox, and no key of this product signed that/
    await expect(start({})).rejects.toThrow(sentence)
    await expect(start(SANDBOX)).rejects.toThrow(sentence)
  })

  test('is not set again where its row was removed', async () => {
    await start(LIVE)
    await past('DELETE FROM pool_mode')
    await expect(start(SANDBOX)).rejects.toThrow(/was removed from the database/)
  })

  test('cannot be changed by the product’s role', async () => {
    await start(LIVE)
    for (const change of ["UPDATE pool_mode SET mode = 'sandbox'", 'DELETE FROM pool_mode'])
      await expect(database.pool.query(change)).rejects.toThrow(/permission denied/)
  })
})

describe('a database from before its mode was on record', () => {
  beforeEach(() =>
    database.superuser.query(`
      WITH added AS (INSERT INTO users (id, username, password_hash, first_name, last_name, country)
        VALUES (gen_random_uuid(), 'boss@example.com', '', '', '', 'US') RETURNING id)
      INSERT INTO user_roles (user_id, role) SELECT id, 'SUPER_ADMIN' FROM added`),
  )

  test('takes the mode that it is started with', async () => {
    await start(LIVE)
    expect(await verifiedMode(database.db, keys)).toBe('live')
  })

  test('needs its mode named once if it may be live', async () => {
    await expect(start({})).rejects.toThrow(/Set POOL_MODE to live once/)
    expect(await verifiedMode(database.db, keys)).toBeUndefined()
    expect(await entries()).toEqual([])
  })

  test('is a sandbox where play capital shows it', async () => {
    const ledger = openLedger(database.pool)
    await fundSandbox({ config: readConfig({}), keys, ledger })
    await start({})
    expect(await verifiedMode(database.db, keys)).toBe('sandbox')
  })
})

test.for([
  ['100000', 'has play coins from its beginning', [100_000_00n]],
  ['0', 'without play coins begins with no capital', []],
] as const)('a sandbox of $%s %s', async ([dollars, , booked]) => {
  const config = readConfig({ PLAY_CAPITAL: dollars })
  await fundSandbox({ config, keys, ledger: openLedger(database.pool) })
  const { rows } = await database.superuser.query('SELECT amount FROM contributions')
  expect(rows.map(({ amount }) => amount)).toEqual(booked)
})
