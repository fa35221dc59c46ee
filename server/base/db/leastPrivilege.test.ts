import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { LIVE } from '../../testing/live.ts'
import { connectTo, dataDirectory } from '../../testing/process.ts'
import { readConfig } from '../configuration/config.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { openLog } from '../process/log.ts'
import { requireLeastPrivilege } from './leastPrivilege.ts'
import { migrate } from './migrate.ts'
import { OF_OWNER } from './tableRules.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

describe('the role of the product', () => {
  test('owns nothing and the owner is no superuser', async () => {
    const { rows } = await database.superuser.query(`
      SELECT DISTINCT pg_get_userbyid(owner) AS owner FROM (
        SELECT relowner FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)
        UNION ALL SELECT proowner FROM pg_proc WHERE pronamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)
        UNION ALL SELECT nspowner FROM pg_namespace WHERE nspname = 'graphile_worker'
        UNION ALL SELECT datdba FROM pg_database WHERE datname = current_database()) AS owned (owner)`)
    expect(rows).toEqual([{ owner: 'pool_owner' }])
    const { rows: roles } = await database.superuser.query(
      "SELECT FROM pg_roles WHERE rolname LIKE 'pool\\_%' AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)",
    )
    expect(roles).toEqual([])
  })

  test.each([
    'UPDATE audit_entries SET actor = actor',
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    'UPDATE audit_seals SET hash = hash',
    'UPDATE movements SET amount = amount + 1',
    'DELETE FROM movements',
    'UPDATE rates SET dollars = dollars',
    'DELETE FROM rates',
    'UPDATE quotes SET units = units',
    'INSERT INTO movements_begin TABLE movements',
    'DELETE FROM transactions',
    'UPDATE sessions SET created_at = created_at',
    'UPDATE sessions SET user_id = user_id',
    'UPDATE sessions SET mac = mac',
    'UPDATE migrations SET applied_at = now()',
    'UPDATE factors SET created_at = created_at',
    'UPDATE factors SET public_key = public_key',
    'UPDATE wallets SET address = address',
    'UPDATE transactions SET wallet_id = wallet_id',
    'UPDATE idempotency_keys SET outcome = outcome',
    'UPDATE links SET user_id = user_id',
    'UPDATE links SET expires_at = expires_at',
    "INSERT INTO sessions (token_hash, user_id, created_at) VALUES ('', gen_random_uuid(), now())",
    'INSERT INTO transactions (id, decided_by) VALUES (gen_random_uuid(), gen_random_uuid())',
    'DROP TRIGGER is_guarded ON audit_entries',
    'ALTER TABLE movements DISABLE TRIGGER ALL',
    'CREATE TRIGGER mine AFTER INSERT ON movements EXECUTE FUNCTION apply_movements()',
    'CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    "SET session_replication_role = 'replica'",
    'CREATE TABLE mine (id integer)',
    'CREATE TEMPORARY TABLE mine (id integer)',
    'CREATE SCHEMA mine',
    'SET ROLE pool_owner',
    "ALTER ROLE pool_app SET session_replication_role = 'replica'",
    'INSERT INTO migrations (number, name, digest) VALUES (0, $$$$, $$$$)',
    "COPY users TO PROGRAM 'cat'",
    "SELECT pg_read_file('postgresql.conf')",
  ])('is refused %s', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  test('has the sole right to call functions, except trigger functions', async () => {
    const { rows } = await database.superuser.query<{ name: string }>(`
      SELECT oid::regprocedure::text AS name FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND has_function_privilege('pool_app', oid, 'EXECUTE') = (prorettype = 'trigger'::regtype)`)
    expect(rows.map(({ name }) => name)).toEqual(OF_OWNER)

    const stranger = `stranger_${randomUUID().replaceAll('-', '')}`
    const client = await database.superuser.connect()
    try {
      await client.query(`CREATE ROLE ${stranger}; SET ROLE ${stranger}`)
      for (const call of [
        "assign_wallets('{}', '{}', '{}', '{}', '{}')",
        "pay_matured('{}', '[]')",
        "session_may_act('')",
      ])
        await expect(client.query(`SELECT ${call}`)).rejects.toMatchObject({ code: '42501' })
    } finally {
      await client.query(`RESET ROLE; DROP ROLE ${stranger}`)
      client.release()
    }
  })

  test('may be superuser or owner only in a sandbox', async () => {
    const warnings: string[] = []
    const log = openLog('warn', { write: (line: string) => void warnings.push(line) })
    const sandbox = readConfig({})
    const live = readConfig(LIVE)
    await requireLeastPrivilege(database, live, log)
    expect(warnings).toEqual([])
    for (const [pool, fault] of [
      [database.superuser, "The database's role postgres is a superuser"],
      [database.owner, "The database's role pool_owner owns the tables"],
    ] as const) {
      await expect(requireLeastPrivilege({ pool }, live, log)).rejects.toThrow(fault)
      await requireLeastPrivilege({ pool }, sandbox, log)
      expect(warnings.pop()).toMatch(/Set DATABASE_OWNER_URL to a role that owns the tables/)
    }
  })
})

/** Works as the superuser of a directory's database while no product uses it. */
const asItsSuperuser = async (
  directory: { readonly dataDir: string },
  work: (pool: pg.Pool) => Promise<void>,
): Promise<void> => {
  const embedded = await startEmbedded(directory.dataDir, { log: openLog('silent') })
  const { pool, close } = connectTo(directory)
  try {
    await work(pool)
  } finally {
    await close()
    await embedded.stop()
  }
}

test('a start hands the superuser’s tables to the owner', async () => {
  const directory = dataDirectory(inject('preparedData'))
  const owners =
    "SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)"
  try {
    await asItsSuperuser(directory, async (pool) => {
      await pool.query('REASSIGN OWNED BY pool_owner TO postgres; DROP OWNED BY pool_app')
      expect((await pool.query(owners)).rows).toEqual([{ owner: 'postgres' }])
    })

    const product = await directory.start()
    const { pool, close } = connectTo(directory)
    expect((await pool.query(owners)).rows).toEqual([{ owner: 'pool_owner' }])
    const { rows } = await pool.query(
      "SELECT has_table_privilege('pool_app', 'movements', 'INSERT') AS inserts",
    )
    expect(rows).toEqual([{ inserts: true }])
    await close()
    expect(await product.end('SIGTERM')).toBe(0)
  } finally {
    await directory.remove()
  }
})

test('functions of the owner gain no rights during a start', async () => {
  const directory = dataDirectory(inject('preparedData'))
  try {
    // Matches the hand-over's call better than PostgreSQL's own `format`.
    await asItsSuperuser(directory, async (pool) => {
      await pool.query(`CREATE FUNCTION public.format(text, text, text) RETURNS text LANGUAGE plpgsql AS $$
        BEGIN ALTER ROLE pool_owner SUPERUSER; RETURN 'SELECT 1'; END $$`)
    })
    await asItsSuperuser(directory, async (pool) => {
      const { rows } = await pool.query(
        "SELECT rolsuper FROM pg_roles WHERE rolname = 'pool_owner'",
      )
      expect(rows).toEqual([{ rolsuper: false }])
    })
  } finally {
    await directory.remove()
  }
})

test('a role without migration rights learns the needed setting', async () => {
  const behind = await testDatabase()
  await behind.superuser.query(
    'DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)',
  )
  await expect(migrate({ pool: behind.pool, owner: behind.pool })).rejects.toThrow(
    /Set DATABASE_OWNER_URL to the role that owns the tables/,
  )
  await behind.close()
})

test('each role has its own password', async () => {
  const { app, owner, superuser } = inject('postgres')
  expect(new Set([app.password, owner.password, superuser.password]).size).toBe(3)
  const client = new pg.Client({ ...superuser, password: app.password, database: 'postgres' })
  await expect(client.connect()).rejects.toMatchObject({ code: '28P01' })
})
