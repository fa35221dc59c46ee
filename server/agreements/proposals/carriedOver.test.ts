import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../base/db/connection.ts'
import { migrate } from '../../base/db/migrate.ts'
import { readRoutines } from '../../base/db/routines.ts'
import { testDatabase } from '../../testing/database.ts'

const SERVER = join(import.meta.dirname, '../..')
const [ASKER, OTHER, OWNER] = [1, 2, 3].map(
  (digit) => `${String(digit).repeat(8)}-0000-7000-8000-000000000000`,
)

/** Triggers and a function that stood before proposals. */
const BEFORE = `
CREATE OR REPLACE TRIGGER access_changes_are_kept BEFORE DELETE ON access_changes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER invites_are_kept BEFORE DELETE ON invites
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
`
const IS_OPEN = `
CREATE OR REPLACE FUNCTION is_open_change(change access_changes) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT change.status = 'OPEN'
$$;
`

let database: Database
let directory: string
beforeEach(async () => {
  database = await testDatabase('owner')
  await database.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  directory = mkdtempSync(join(tmpdir(), 'carried-over-'))
  cpSync(join(SERVER, 'base/migrations'), join(directory, 'base/migrations'), {
    recursive: true,
    filter: (path) => !/(schema\.sql|00(3[1-9]|[4-9]\d)-.*)$/.test(path),
  })
  mkdirSync(join(directory, 'accounts/users'), { recursive: true })
  writeFileSync(join(directory, 'accounts/users/triggers.sql'), BEFORE)
  writeFileSync(join(directory, 'accounts/users/is_open_change.sql'), IS_OPEN)
  cpSync(join(SERVER, 'base/db/refuse_change.sql'), join(directory, 'base/db/refuse_change.sql'))
  await migrate(database, {
    directory: join(directory, 'base/migrations'),
    routines: readRoutines(directory),
  })
})
afterEach(async () => {
  await database.close()
  rmSync(directory, { recursive: true })
})

test('what was asked before is carried over', async () => {
  const { pool } = database
  await pool.query(`
    INSERT INTO users (id, username, password_hash, first_name, last_name, country)
    SELECT id::uuid, id, '', '', '', 'US' FROM unnest(ARRAY['${ASKER}', '${OTHER}', '${OWNER}']) AS id`)
  const add = async (
    place: number,
    kind: string,
    rest: { role?: string; status?: string; decidedBy?: string | undefined },
  ) => {
    const id = `${String(place).padStart(8, '0')}-0000-7000-8000-000000000000`
    const { role = null, status = 'OPEN', decidedBy = null } = rest
    await pool.query(
      `INSERT INTO access_changes (id, user_id, kind, role, reason, asked_by, status, decided_by, decided_at)
       VALUES ($1, $2, $3, $4, 'why', $5, $6, $7, CASE WHEN $6 <> 'OPEN' THEN now() END)`,
      [id, kind === 'INVITE' ? null : OWNER, kind, role, ASKER, status, decidedBy],
    )
    return id
  }
  const reset = async (id: string, columns: string) =>
    pool.query(
      `INSERT INTO factor_resets (id, user_id, rests_until, ended_at, outcome) VALUES ($1, $2, ${columns})`,
      [id, OWNER],
    )
  const invite = async (id: string, columns: string) =>
    pool.query(
      `INSERT INTO invites (id, email, first_name, last_name, country, language, token_digest, expires_at, ended_at)
       VALUES ($1, 'a@b.co', 'A', 'B', 'US', 'es', ${columns})`,
      [id],
    )
  await add(1, 'GRANT', { role: 'ADMIN' })
  await add(2, 'SUSPEND', { status: 'DONE' })
  await add(3, 'SUSPEND', { status: 'REJECTED', decidedBy: OTHER })
  await add(4, 'REVOKE', { role: 'USER', status: 'WITHDRAWN', decidedBy: ASKER })
  const decided = { status: 'DONE', decidedBy: OTHER }
  await reset(await add(5, 'RESET_FACTORS', decided), "now() - interval '1 hour', now(), 'DONE'")
  await reset(await add(6, 'RESET_FACTORS', {}), "NULL, now(), 'STOPPED'")
  await reset(await add(7, 'RESET_FACTORS', decided), 'now(), NULL, NULL')
  await invite(await add(8, 'INVITE', { role: 'ADMIN' }), 'NULL, NULL, now()')
  await invite(await add(9, 'INVITE', { role: 'ADMIN', ...decided }), "'x', now(), now()")
  await invite(await add(10, 'INVITE', { role: 'AUDITOR' }), 'NULL, NULL, NULL')

  expect(await migrate(database)).toContain('0031-proposals.sql')
  const { rows } = await pool.query(`
    SELECT kind, subject, payload->>'role' AS role, payload->>'firstName' AS name, language, status, alone,
      rests_until IS NOT NULL AS rests, ended_at IS NOT NULL AS ended FROM proposals ORDER BY id`)
  const open = { name: null, language: 'en', alone: false, rests: false, ended: false }
  const ended = { ...open, ended: true }
  const ofUser = { subject: OWNER, role: null }
  const invited = { kind: 'INVITE', subject: 'a@b.co', role: 'ADMIN', name: 'A', language: 'es' }
  expect(rows).toEqual([
    { ...open, kind: 'GRANT', subject: `${OWNER} ADMIN`, role: 'ADMIN', status: 'OPEN' },
    { ...ended, ...ofUser, kind: 'SUSPEND', status: 'DONE', alone: true },
    { ...ended, ...ofUser, kind: 'SUSPEND', status: 'REJECTED' },
    { ...ended, kind: 'REVOKE', subject: `${OWNER} USER`, role: 'USER', status: 'WITHDRAWN' },
    { ...ended, ...ofUser, kind: 'RESET_FACTORS', status: 'DONE', rests: true },
    { ...ended, ...ofUser, kind: 'RESET_FACTORS', status: 'STOPPED' },
    { ...open, ...ofUser, kind: 'RESET_FACTORS', status: 'RESTING', rests: true },
    { ...ended, ...invited, status: 'EXPIRED' },
    { ...ended, ...invited, status: 'DONE' },
    { ...open, ...invited, role: 'AUDITOR', status: 'OPEN' },
  ])
  expect((await pool.query('SELECT kind, address FROM links')).rows).toEqual([
    { kind: 'INVITE', address: 'a@b.co' },
  ])
})
