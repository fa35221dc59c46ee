/** The version after this one: a copy of these sources with one more migration. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newestMigration } from '../../server/base/db/migrate.ts'
import { linkPackages } from '../../server/testing/releases.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The table that the next version makes. */
export const NEW_TABLE = 'next_version'

/** Writes the next version into a directory. Returns the directory of its server. */
export const writeNextVersion = (directory: string): string => {
  const place = join(directory, 'next')
  mkdirSync(place)
  for (const name of ['contract', 'server', 'package.json'])
    cpSync(join(ROOT, name), join(place, name), {
      recursive: true,
      filter: (path) => !/\/(node_modules|releases)$|\.test\.ts$/.test(path),
    })
  linkPackages(place)
  const number = String(newestMigration() + 1).padStart(4, '0')
  writeFileSync(
    join(place, 'server/base/migrations', `${number}-next.sql`),
    `CREATE TABLE ${NEW_TABLE} ();\n`,
  )
  return join(place, 'server')
}
