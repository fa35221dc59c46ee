/** Backups of a database at `DATABASE_URL`, with pg_dump and pg_restore. */
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { urlsOf } from '../../base/configuration/databaseUrls.ts'
import type { Keys } from '../../base/keys/keys.ts'
import {
  compareFiles,
  contentOf,
  type DumpManifest,
  type Mark,
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
  { keys, pool, number }: Mark & { readonly keys: Keys },
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
      pool,
      number,
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
  await compareFiles(backup, await readManifest(backup, 'dump', keys))
  await run('pg_restore', databaseUrl, [
    '--single-transaction',
    '--exit-on-error',
    '--no-owner',
    '--no-privileges',
    join(backup, DUMP),
  ])
}

type Program = 'pg_dump' | 'pg_restore'

/** Runs a program to its end. Its output goes to `read`. Rejects with its errors. */
const execute = async (
  program: Program,
  options: readonly string[],
  { env, read }: { readonly env?: NodeJS.ProcessEnv; readonly read?: (output: Readable) => void },
): Promise<void> => {
  const child = spawn(program, options, {
    stdio: ['ignore', read ? 'pipe' : 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  let said = ''
  child.stderr?.on('data', (part: Buffer) => {
    said += part.toString()
  })
  if (read && child.stdout) read(child.stdout)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', () =>
      reject(
        new Error(
          `${program} is not installed. Install PostgreSQL's client programs, no older than the server.`,
        ),
      ),
    )
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${program} failed: ${said.trim()}`)
}

/** True when a column of an audit entry in the dump holds exactly this text. */
export const dumpHasEntry = async (backup: string, text: string): Promise<boolean> => {
  let isThere = false
  const options = ['--data-only', '--table=audit_entries', '--file=-', join(backup, DUMP)]
  await execute('pg_restore', options, {
    read: (output) =>
      createInterface(output).on('line', (line) => {
        isThere ||= line.split('\t').includes(text)
      }),
  })
  return isThere
}

const run = (program: Program, databaseUrl: string, options: readonly string[]): Promise<void> => {
  // Any user can read a process's arguments, so the password goes by the environment.
  const password = decodeURIComponent(new URL(urlsOf(databaseUrl)[0]).password)
  const address = databaseUrl.replace(/^(\w+:\/\/[^/?#]*?):[^/?#]*@/, '$1@')
  return execute(program, [`--dbname=${address}`, ...options], {
    env: password ? { PGPASSWORD: password } : {},
  })
}
