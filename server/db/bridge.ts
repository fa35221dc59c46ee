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

/** The first files of older schemas, and the digest of the 24 migrations of commit a10ccfc. */
const OLDER = ['0001-users.sql', '0001-people.sql']
const FOLDED = 'b8d15d9f2a9e80fb47fa6f541709bf4786da5e3bac10d302bfaeb1cb624855ca'
/** The last of the files that replace them. */
const BECAME = 11

/**
 * Records today's files in a database with exactly the 24 migrations of commit a10ccfc, whose
 * schema is the same. Throws for any other database that is older than these files.
 */
export const carryOver = async (
  client: PoolClient,
  migrations: readonly Migration[],
  applied: readonly Row[],
): Promise<readonly Row[]> => {
  const [first] = applied
  if (!first || !OLDER.includes(first.name) || first.digest === migrations[0]?.digest)
    return applied
  const books = applied.map(({ number, name, digest }) => `${number} ${name} ${digest}`).join('\n')
  if (createHash('sha256').update(books).digest('hex') !== FOLDED)
    throw new Error(
      'The database is older than the first release and lacks some of the 24 migrations of commit a10ccfc. Start that commit on it once, ' +
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
  return made
}
