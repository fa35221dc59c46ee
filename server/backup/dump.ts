/** Backups of a database at `DATABASE_URL`, by PostgreSQL's own programs: pg_dump writes one consistent moment, pg_restore reads it back. */
import { spawn } from 'node:child_process'
import { rename, rm, writeFile } from 'node:fs/promises'

/** Writes everything as of one moment to a new file, which appears only when it is complete. Throws with what pg_dump said. */
export const dumpDatabase = async (databaseUrl: string, target: string): Promise<void> => {
  const draft = `${target}.draft`
  try {
    // Made beforehand, so that nobody else can read it while it grows.
    await writeFile(draft, '', { mode: 0o600 })
    await run('pg_dump', databaseUrl, ['--format=custom', '--no-owner', `--file=${draft}`])
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Fills an empty database with what a file holds: all of it, or nothing. Throws with what pg_restore said. */
export const restoreDump = (databaseUrl: string, source: string): Promise<void> =>
  run('pg_restore', databaseUrl, ['--single-transaction', '--exit-on-error', '--no-owner', source])

const run = (program: 'pg_dump' | 'pg_restore', databaseUrl: string, options: readonly string[]): Promise<void> => {
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
      reject(new Error(`${program} is not installed. It comes with PostgreSQL's client programs, and must not be older than the server.`)),
    )
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program} failed: ${said.trim()}`))))
  })
}
