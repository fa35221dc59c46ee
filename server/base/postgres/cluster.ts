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
import { ownName } from '../process/systemUser.ts'
import type { PostgresFiles } from './files.ts'
import { disownReusedNumbers, runningServer } from './postmaster.ts'

/** Connection settings of the embedded PostgreSQL. */
export type Address = {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
}

/** Settings for one small server. Durability keeps PostgreSQL's defaults, so fsync is on. */
const SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '256MB',
  max_connections: '140',
  max_wal_size: '2GB',
  // Recycles log segments instead of filling new ones with zeros after each quiet hour.
  min_wal_size: '1GB',
  // Starts evicted pages to disk at once. Linux would hold them 30 s, then delay commits.
  backend_flush_after: '256kB',
  // On an SSD or in memory, an index look-up costs about as much as a sequential read.
  random_page_cost: '1.1',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

const PORT = 5432
const USER = 'postgres'
/**
 * Log segment size of a new cluster, in MiB. Commits wait while a segment is zero-filled.
 * PostgreSQL's default of 16 takes up to 50 ms.
 */
const LOG_SEGMENT = 4
/** Most time for a start, in milliseconds. After a crash PostgreSQL first replays its log. */
const START_TIMEOUT_MS = 120_000

const run = promisify(execFile)

/** Creates the cluster if there is none. Only the product's user can read its random password. */
export const initialiseCluster = async (files: PostgresFiles): Promise<void> => {
  if (existsSync(files.cluster)) return
  // Renamed when complete, so that a killed start leaves no half cluster.
  const unfinished = mkdtempSync(`${files.cluster}.`)
  try {
    await makeCluster(files, unfinished)
    renameSync(unfinished, files.cluster)
  } catch (error) {
    // A concurrent first start may have won. Its cluster has the same password.
    if (!existsSync(files.cluster)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/**
 * Makes a new cluster in an empty directory, with the data directory's password. Throws under an id
 * without a name, which initdb refuses.
 */
export const makeCluster = async (files: PostgresFiles, place: string): Promise<void> => {
  if (ownName() === undefined)
    throw new Error(
      `The embedded database needs a user with a name, and the id ${process.getuid?.()} has none. Start as another user, or set DATABASE_URL.`,
    )
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
 * Returns the cluster's password. The first start creates it atomically, so concurrent starts
 * agree.
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
 * The product's roles in its embedded database. The owner migrates, the app only reads and writes.
 */
export type Role = 'pool_owner' | 'pool_app'

/**
 * Connection settings of one of the product's roles. Its password derives from the cluster's by
 * HMAC, so one stored password is enough.
 */
export const addressAs = (files: PostgresFiles, role: Role): Address => {
  const { password, ...address } = addressOf(files)
  return {
    ...address,
    user: role,
    password: createHmac('sha256', password).update(role).digest('base64url'),
  }
}

/** Connection settings of the superuser, used to start, stop and back up the cluster. */
export const addressOf = (files: PostgresFiles): Address => ({
  host: process.platform === 'win32' ? '127.0.0.1' : files.socket,
  port: PORT,
  user: USER,
  password: readFileSync(files.passwordFile, 'utf8'),
})

/** Starts the server and resolves once it answers. Rejects with the end of its log on failure. */
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
    // Its own session, so that Ctrl-C reaches only the product, which stops the database last.
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
 * True when another process's server answers. Waits for one that is starting. Connects even without
 * a visible process: a container may share this directory.
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
