import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PoolClient } from 'pg'

/** A numbered file. A database records its number, name and digest. */
export type Migration = {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly digest: string
}
export type AppliedMigration = Pick<Migration, 'number' | 'name' | 'digest'>

/** The first files of schemas before 1.0.0. */
const OLDER = ['0001-users.sql', '0001-people.sql']
/** Digests of the books of two such schemas, which are the same: 24 files, and 11. */
const SAME = [
  'b8d15d9f2a9e80fb47fa6f541709bf4786da5e3bac10d302bfaeb1cb624855ca',
  '045950d87be08a3ebd6e6566e2f7be378c350a65fb917552e09fd81251d1cb73',
]
/** The last of the files that replace them. */
const BECAME = 10
const BRIDGE = fileURLToPath(new URL('../migrations/bridge.sql', import.meta.url))

/**
 * Gives a database of the last schema before 1.0.0 today's tables, and records today's files in it.
 * Throws for a database that is older still.
 */
export const carryOver = async (
  client: PoolClient,
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Promise<readonly AppliedMigration[]> => {
  const made = migrations.filter(({ number }) => number <= BECAME)
  const [first] = applied
  if (!first || !OLDER.includes(first.name) || isSame(made, applied)) return applied
  const books = applied.map(({ number, name, digest }) => `${number} ${name} ${digest}`).join('\n')
  if (!SAME.includes(createHash('sha256').update(books).digest('hex')))
    throw new Error(
      'The database is older than the first release and lacks some of the 24 migrations of commit a10ccfc. Start that commit on it once, ' +
        'then this version. If that commit refuses, start with an empty database.',
    )
  const files = made.map(({ sql }) => sql).join('\n')
  const [movements = ''] = /^CREATE TABLE movements .+?^\);/ms.exec(files) ?? []
  await client.query(movements)
  await client.query(readFileSync(BRIDGE, 'utf8'))
  for (const comment of files.match(/^COMMENT ON [^;]+;$/gm) ?? []) await client.query(comment)
  await client.query('DELETE FROM migrations')
  for (const { number, name, digest } of made)
    await client.query('INSERT INTO migrations (number, name, digest) VALUES ($1, $2, $3)', [
      number,
      name,
      digest,
    ])
  return made
}

/** True for the names of today's files, of which the last may be missing. */
const isSame = (made: readonly Migration[], applied: readonly AppliedMigration[]): boolean =>
  made.every(({ name }, place) => applied[place] === undefined || applied[place].name === name)
