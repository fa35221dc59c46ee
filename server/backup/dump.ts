/** Backups of a database at `DATABASE_URL`, with pg_dump and pg_restore. */
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { urlsOf } from '../databaseUrls.ts'
import type { Keys } from '../keys/keys.ts'
import {
  compareContent,
  compareNames,
  contentOf,
  type DumpManifest,
  makeBackup,
  readManifest,
} from './manifest.ts'

/** Path of pg_dump's archive in a backup. */
const DUMP = 'database.dump'

/**
 * Writes one consistent moment to a new directory, which appears only when complete. Throws with
 * pg_dump's output.
 */
export const dumpDatabase = (
  databaseUrl: string,
  target: string,
  keys: Keys,
): Promise<DumpManifest> =>
  makeBackup(target, keys, async (draft) => {
    const startedAt = new Date().toISOString()
    const file = join(draft, DUMP)
    // Created first, so that no other user can read it while it grows.
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
 * Fills an empty database from a backup, all or nothing. Verifies first, since a dump runs as SQL.
 * Throws when the backup is forged or damaged, or with pg_restore's output.
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
  // Any user can read a process's arguments, so the password goes by the environment.
  const password = decodeURIComponent(new URL(urlsOf(databaseUrl)[0]).password)
  const address = databaseUrl.replace(/^(\w+:\/\/[^/?#]*?):[^/?#]*@/, '$1@')
  return new Promise((resolve, reject) => {
    const child = spawn(program, [`--dbname=${address}`, ...options], {
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
          `${program} is not installed. Install PostgreSQL's client programs, no older than the server.`,
        ),
      ),
    )
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} failed: ${said.trim()}`)),
    )
  })
}
