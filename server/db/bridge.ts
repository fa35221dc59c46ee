import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'

/** A numbered file, and what a database keeps of one that it has. */
export type Migration = {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly digest: string
}
export type Row = Pick<Migration, 'number' | 'name' | 'digest'>

/**
 * The first of the 38 files that were folded into the first of those of today, the digest over all
 * of them, and the last that they became.
 */
const FIRST = '0001-users.sql'
const FOLDED = '87d5c939ad36d84a4e39edbe38e4bfc3ef302c3ac24aa53035b4cd9bc02bf338'
const BECAME = 12

// Made by migrations, not by the files of today, which may define them otherwise.
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
 * Carries a database over that holds exactly the 38 migrations of commit 9108dae: its tables stay
 * as they are and are commented, its books say which files of today they are made by. Throws, with
 * what to do, when some of the 38 are missing or others. Any other database is left alone.
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
      'The database was made before the first release, by other migrations than the 38 of commit 9108dae. Start that commit on it once, which ' +
        'applies those that are missing, and then this version; if it refuses, start with an empty database.',
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
