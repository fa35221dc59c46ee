import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { PostgresFiles } from './files.ts'
import { disownReusedNumbers, runningServer } from './postmaster.ts'

/** How to reach the embedded PostgreSQL. */
export type Address = {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
}

/**
 * Settings for one small server; durability is PostgreSQL's own default: fsync and synchronous
 * commit are on.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '256MB',
  max_connections: '120',
  max_wal_size: '2GB',
  // Segments of the log that are there are used again, rather than filled with zeros anew after
  // every quiet hour.
  min_wal_size: '1GB',
  // What is written for lack of room in memory is on its way to the disk at once; the system would
  // keep it for half a minute and hold commits up then.
  backend_flush_after: '256kB',
  // What is on a solid-state disk, or in memory, is found by an index about as quickly as it is
  // read in order.
  random_page_cost: '1.1',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

const PORT = 5432
const USER = 'postgres'
/**
 * The size of a segment of the write-ahead log, in MiB, of a new cluster. A new segment is filled
 * with zeros first, and every commit waits for that: with PostgreSQL's own 16 up to a twentieth of
 * a second.
 */
const LOG_SEGMENT = 4
/**
 * How long a start may take, in milliseconds: after a crash PostgreSQL first repeats what the log
 * holds.
 */
const START_TIMEOUT_MS = 120_000

const run = promisify(execFile)

/**
 * Creates the cluster when there is none, with a random password that only the product's user can
 * read.
 */
export const initialiseCluster = async (files: PostgresFiles): Promise<void> => {
  if (existsSync(files.cluster)) return
  // Made beside its place and renamed when complete, so that a start which was killed leaves no
  // half cluster.
  const unfinished = mkdtempSync(`${files.cluster}.`)
  try {
    await makeCluster(files, unfinished)
    renameSync(unfinished, files.cluster)
  } catch (error) {
    // Another first start may have been quicker: its cluster has the same password.
    if (!existsSync(files.cluster)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** Makes a new cluster in an empty directory, for the password of the data directory. */
export const makeCluster = async (files: PostgresFiles, place: string): Promise<void> => {
  const secret = mkdtempSync(join(tmpdir(), 'pool-'))
  const passwordFile = join(secret, 'password')
  try {
    writeFileSync(passwordFile, agreedPassword(files), { mode: 0o600 })
    for (const path of [place, secret, passwordFile])
      if (files.identity) chownSync(path, files.identity.uid, files.identity.gid)
    const options = [
      '-U',
      USER,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      '--data-checksums',
      `--wal-segsize=${LOG_SEGMENT}`,
      '--no-instructions',
    ]
    await run(join(files.bin, 'initdb'), ['-D', place, ...options], {
      ...files.identity,
      cwd: files.socket,
    })
  } finally {
    rmSync(secret, { recursive: true, force: true })
  }
}

/**
 * The cluster's password: whichever start comes first makes it, whole or not at all, so that two
 * first starts at once agree.
 */
const agreedPassword = ({ passwordFile }: PostgresFiles): string => {
  const draft = `${passwordFile}.${process.pid}`
  writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600 })
  try {
    linkSync(draft, passwordFile)
  } catch (error) {
    if (!existsSync(passwordFile)) throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(passwordFile, 'utf8')
}

/**
 * The roles of the product in its embedded database: one owns tables and functions and migrates
 * them, the other works with them.
 */
export type Role = 'pool_owner' | 'pool_app'

/**
 * How to reach the cluster as one of the product's roles. Its password follows from the cluster's,
 * so that a data directory or a backup keeps one password only; whoever knows it cannot tell the
 * cluster's by it.
 */
export const addressAs = (files: PostgresFiles, role: Role): Address => {
  const { password, ...address } = addressOf(files)
  return {
    ...address,
    user: role,
    password: createHmac('sha256', password).update(role).digest('base64url'),
  }
}

/** How to reach the cluster while it runs, as its superuser: for starting, stopping and backups. */
export const addressOf = (files: PostgresFiles): Address => ({
  host: process.platform === 'win32' ? '127.0.0.1' : files.socket,
  port: PORT,
  user: USER,
  password: readFileSync(files.passwordFile, 'utf8'),
})

/**
 * Starts the cluster's server and resolves once it answers. Rejects with the end of its log when it
 * does not.
 */
export const startServer = async (
  files: PostgresFiles,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> => {
  disownReusedNumbers(files)
  const log = openSync(files.logFile, 'a', 0o600)
  const listen =
    process.platform === 'win32'
      ? { listen_addresses: '127.0.0.1' }
      : { listen_addresses: '', unix_socket_directories: files.socket }
  const options = Object.entries({
    ...SETTINGS,
    ...listen,
    port: String(PORT),
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(files.bin, 'postgres'), ['-D', files.cluster, ...options], {
    ...files.identity,
    cwd: files.socket,
    // A session of its own: Ctrl-C in the terminal is for the product, which then stops the
    // database last.
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  })
  closeSync(log)
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (server.exitCode !== null || server.signalCode !== null) break
    if (await answers(files)) return server
    await wait(25)
  }
  server.kill('SIGQUIT')
  throw new Error(
    `The embedded database did not start. The end of ${files.logFile} says:\n${readFileSync(files.logFile, 'utf8').slice(-1_500)}`,
  )
}

/**
 * Whether a server that another process started answers; one that is still starting is waited for.
 * The socket is asked even when no process can be seen: in another container, sharing this
 * directory, there may be one.
 */
export const serverAnswers = async (files: PostgresFiles): Promise<boolean> => {
  if (!existsSync(files.cluster)) return false
  if (runningServer(files) === undefined) return answers(files)
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline && runningServer(files) !== undefined) {
    if (await answers(files)) return true
    await wait(50)
  }
  return false
}

const answers = async (files: PostgresFiles): Promise<boolean> => {
  const client = new pg.Client({
    ...addressOf(files),
    database: 'postgres',
    connectionTimeoutMillis: 2_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
