/**
 * Backups of a database at `DATABASE_URL`, by PostgreSQL's own programs: pg_dump writes one
 * consistent moment, pg_restore reads it back.
 */
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Keys } from '../keys/keys.ts'
import {
  compareContent,
  compareNames,
  contentOf,
  type DumpManifest,
  makeBackup,
  readManifest,
} from './manifest.ts'

/** The archive of pg_dump, inside a backup. */
const DUMP = 'database.dump'

/**
 * Writes everything as of one moment to a new directory, which appears only when it is complete.
 * Throws with what pg_dump said.
 */
export const dumpDatabase = (
  databaseUrl: string,
  target: string,
  keys: Keys,
): Promise<DumpManifest> =>
  makeBackup(target, keys, async (draft) => {
    const startedAt = new Date().toISOString()
    const file = join(draft, DUMP)
    // Made beforehand, so that nobody else can read it while it grows.
    await writeFile(file, '', { mode: 0o600 })
    await run('pg_dump', databaseUrl, [
      '--format=custom',
      '--no-owner',
      '--no-privileges',
      `--file=${file}`,
    ])
    return {
      kind: 'dump',
      startedAt,
      finishedAt: new Date().toISOString(),
      files: { [DUMP]: await contentOf(file) },
    }
  })

/**
 * Fills an empty database with what a backup holds: all of it, or nothing. What is restored is run
 * as SQL, so it is verified first. Throws when the backup was tampered with or is damaged, else
 * with what pg_restore said.
 */
export const restoreDump = async (
  databaseUrl: string,
  backup: string,
  keys: Keys,
): Promise<void> => {
  const manifest = await readManifest(backup, 'dump', keys)
  await compareNames(backup, manifest)
  for (const [name, content] of Object.entries(manifest.files))
    compareContent(join(backup, name), await contentOf(join(backup, name)), content)
  await run('pg_restore', databaseUrl, [
    '--single-transaction',
    '--exit-on-error',
    '--no-owner',
    '--no-privileges',
    join(backup, DUMP),
  ])
}

const run = (
  program: 'pg_dump' | 'pg_restore',
  databaseUrl: string,
  options: readonly string[],
): Promise<void> => {
  // Anybody on the machine can read the arguments of a process: the password goes another way.
  const address = new URL(databaseUrl)
  const password = decodeURIComponent(address.password)
  address.password = ''
  return new Promise((resolve, reject) => {
    const child = spawn(program, [`--dbname=${address.href}`, ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...(password && { PGPASSWORD: password }) },
    })
    let said = ''
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString()
    })
    child.on('error', () =>
      reject(
        new Error(
          `${program} is not installed. It comes with PostgreSQL's client programs, and must not be older than the server.`,
        ),
      ),
    )
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} failed: ${said.trim()}`)),
    )
  })
}
