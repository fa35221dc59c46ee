import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'

/** A numbered file. A database records its number, name and digest. */
export type Migration = {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly digest: string
}
export type Row = Pick<Migration, 'number' | 'name' | 'digest'>

/**
 * First of the 38 folded files, digest of them all, and the last of the files that replace them.
 */
const FIRST = '0001-users.sql'
const FOLDED = '87d5c939ad36d84a4e39edbe38e4bfc3ef302c3ac24aa53035b4cd9bc02bf338'
const BECAME = 12

// Records the routines without digests, so that today's definitions replace each of them.
const RECORD_ROUTINES = `
  INSERT INTO routines (digest, objects)
  SELECT '', jsonb_object_agg(name, '') FROM (
    SELECT format('TRIGGER %I ON %I', tgname, relname) FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = tgrelid
    WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
    UNION ALL SELECT format('VIEW %I', relname) FROM pg_class WHERE relkind = 'v' AND relnamespace = current_schema()::regnamespace
    UNION ALL SELECT format('FUNCTION %s', oid::regprocedure) FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
  ) AS made (name)`

/**
 * Converts a database with exactly the 38 migrations of commit 9108dae. Ignores any other. Tables
 * stay, comments and records are rewritten. Throws when the 38 differ.
 */
export const carryOver = async (
  client: PoolClient,
  migrations: readonly Migration[],
  applied: readonly Row[],
): Promise<readonly Row[]> => {
  if (applied[0]?.name !== FIRST) return applied
  const books = applied.map(({ number, name, digest }) => `${number} ${name} ${digest}`).join('\n')
  if (createHash('sha256').update(books).digest('hex') !== FOLDED)
    throw new Error(
      'The database is older than the first release and lacks some of the 38 migrations of commit 9108dae. Start that commit on it once,' +
        'then this version. If that commit refuses, start with an empty database.',
    )
  const made = migrations.filter(({ number }) => number <= BECAME)
  await client.query('DELETE FROM migrations')
  for (const { number, name, digest } of made)
    await client.query('INSERT INTO migrations (number, name, digest) VALUES ($1, $2, $3)', [
      number,
      name,
      digest,
    ])
  await client.query(RECORD_ROUTINES)
  for (const { sql } of made)
    for (const [comment] of sql.matchAll(/^COMMENT ON .+?';$/gms)) await client.query(comment)
  return made
}
