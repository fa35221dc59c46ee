import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseError, type Pool, type PoolClient } from 'pg'
import { LOCKS } from '../locks.ts'
import type { Database } from './connection.ts'
import {
  appliedRoutines,
  applyGrants,
  createRoutines,
  dropGone,
  hasGrants,
  type Routines,
  readRoutines,
} from './routines.ts'
import { takeTables } from './takeTables.ts'

const DIRECTORY = fileURLToPath(new URL('../migrations', import.meta.url))

/** A numbered file. A database records its number, name and digest. */
type Migration = {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly digest: string
}
type AppliedMigration = Pick<Migration, 'number' | 'name' | 'digest'>

/** The first file of a database of 1.x, whose tables this version does not take over. */
const OLDER = /^0001-(users|people)\.sql$/

/** Files to apply instead of this code's. */
type Files = { readonly directory?: string; readonly routines?: Routines }

/**
 * Applies new migrations, then changed routines and grants, in one transaction, and returns their
 * names. Throws for a failed or changed file, a newer database, or missing rights.
 */
export const migrate = async (
  { pool, owner }: Pick<Database, 'pool' | 'owner'>,
  { directory = DIRECTORY, routines = readRoutines() }: Files = {},
): Promise<string[]> => {
  const migrations = readMigrations(directory)
  const app = await grantee({ pool, owner })
  try {
    return await aloneAmongNodes(owner, (client) =>
      inTransaction(client, () => applyAll(client, migrations, { ...routines, app })),
    )
  } catch (error) {
    const reason = error instanceof Error ? (error.cause ?? error) : error
    if (reason instanceof DatabaseError && reason.code === INSUFFICIENT_PRIVILEGE)
      throw new Error(
        `The database needs a migration, but its role lacks the right (${reason.message}). Set DATABASE_OWNER_URL to the role that owns the tables.`,
        { cause: error },
      )
    throw error
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** Does work on a connection that no other node that starts has at the same time. */
export const aloneAmongNodes = async <T>(
  owner: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> => {
  const client = await owner.connect()
  try {
    // Lifts the timeout, since waiting for a node or changing a large table may take long.
    await client.query('SET statement_timeout = 0')
    await client.query('SELECT pg_advisory_lock($1)', [LOCKS.migration])
    return await work(client)
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCKS.migration]).catch(() => undefined)
    await client.query('RESET statement_timeout').catch(() => undefined)
    client.release()
  }
}

/** The role that needs grants of the owner. Undefined when a single role does both. */
export const grantee = async ({
  pool,
  owner,
}: Pick<Database, 'pool' | 'owner'>): Promise<string | undefined> => {
  const [app, owning] = [await nameOf(pool), await nameOf(owner)]
  return app === owning ? undefined : app
}

const nameOf = async (pool: Pool): Promise<string> =>
  (await pool.query('SELECT current_user AS name')).rows[0].name

/** Number of the newest migration, by default of this code. */
export const newestMigration = (directory = DIRECTORY): number =>
  Math.max(...readMigrations(directory).map(({ number }) => number))

const readMigrations = (directory: string): Migration[] =>
  readdirSync(directory)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(directory, name), 'utf8')
      return {
        number: Number(name.slice(0, 4)),
        name,
        sql,
        digest: createHash('sha256').update(sql).digest('hex'),
      }
    })

const inTransaction = async <T>(client: PoolClient, work: () => Promise<T>): Promise<T> => {
  await client.query('BEGIN')
  try {
    const done = await work()
    await client.query('COMMIT')
    return done
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

// Creates only missing tables, since PostgreSQL checks the right to create first.
const BOOKS = `
  CREATE TABLE IF NOT EXISTS migrations (
    number     integer PRIMARY KEY,
    name       text NOT NULL,
    digest     text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS routines (digest text NOT NULL, objects jsonb NOT NULL)`

type WantedRoutines = Routines & { readonly app: string | undefined }

const applyAll = async (
  client: PoolClient,
  migrations: readonly Migration[],
  wanted: WantedRoutines,
): Promise<string[]> => {
  const { rows: books } = await client.query(
    "SELECT to_regclass('migrations') AS migrations, to_regclass('routines') AS routines",
  )
  if (books[0].migrations === null || books[0].routines === null) await client.query(BOOKS)
  const { rows } = await client.query<AppliedMigration>(
    'SELECT number, name, digest FROM migrations ORDER BY number',
  )
  const pending = findPending(migrations, rows)
  const before = await appliedRoutines(client)
  const { app } = wanted
  if (before?.digest === wanted.digest && pending.length === 0) {
    if (app === undefined || (await hasGrants(client, app))) return []
    await applyGrants(client, wanted, app)
    return ['grants']
  }
  await takeTables(client)
  const migrates = pending.length > 0
  const unchanged = await dropGone(client, wanted, { applied: before, migrates })
  for (const migration of pending) await apply(client, migration)
  // A recreated table has lost its triggers.
  await createRoutines(client, wanted, migrates ? new Set() : unchanged)
  await applyGrants(client, wanted, app)
  return [...pending.map(({ name }) => name), 'routines']
}

const findPending = (
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] => {
  if (applied.some(({ name }) => OLDER.test(name)))
    throw new Error(
      'The database is of a version before 2.0.0, and nothing in it was changed. Start that version on it, or start this one with an empty database.',
    )
  for (const { number, name, digest } of applied) {
    const known = migrations.find((migration) => migration.number === number)
    if (!known)
      throw new Error(
        `The database has migration ${name}, which this version of the product does not know. Start the newer version.`,
      )
    if (known.digest !== digest)
      throw new Error(
        `Migration ${known.name} has changed since it was applied. Restore it and put the change into a new file.`,
      )
  }
  return migrations.filter(({ number }) => !applied.some((row) => row.number === number))
}

const apply = async (
  client: PoolClient,
  { number, name, sql, digest }: Migration,
): Promise<void> => {
  try {
    await client.query('INSERT INTO migrations (number, name, digest) VALUES ($1, $2, $3)', [
      number,
      name,
      digest,
    ])
    await client.query(sql)
  } catch (cause) {
    throw new Error(
      `Migration ${name} failed and changed nothing: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}
