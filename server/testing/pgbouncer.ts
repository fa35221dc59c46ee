import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { Address } from '../base/postgres/cluster.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

/** Tells whether Debian's package `pgbouncer` is installed. */
export const hasPgBouncer = existsSync(PROGRAM)

/**
 * Starts a PgBouncer that gives each transaction one of two sessions. `settings` are further lines.
 */
export const startPgBouncer = async (
  { host, port, user, password }: Address,
  settings: readonly string[] = [],
) => {
  const directory = mkdtempSync(join(tmpdir(), 'pool-pgbouncer-'))
  chmodSync(directory, 0o777)
  const file = join(directory, 'pgbouncer.ini')
  writeFileSync(join(directory, 'userlist.txt'), `"${user}" "${password}"\n`)
  const lines = [
    '[databases]',
    `* = host=${host} port=${port}`,
    '[pgbouncer]',
    `unix_socket_dir = ${directory}`,
    `auth_file = ${join(directory, 'userlist.txt')}`,
    'auth_type = scram-sha-256',
    'pool_mode = transaction',
    'default_pool_size = 2',
    ...settings,
  ]
  writeFileSync(file, lines.join('\n'))
  // It refuses root, and only PostgreSQL's user reaches the server's socket.
  const { uid, gid } = statSync(host)
  const child = spawn(PROGRAM, [file], { uid, gid, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (part: Buffer) => {
    said += part.toString()
  })
  const address: Address = { host: directory, port: 6432, user, password }
  const isReady = () => {
    if (child.exitCode !== null) throw new Error(said)
    expect(existsSync(join(directory, '.s.PGSQL.6432')), said).toBe(true)
  }
  await vi.waitFor(isReady, { timeout: 20_000 })
  return {
    address,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
