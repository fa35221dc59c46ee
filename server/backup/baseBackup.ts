/**
 * An online copy of the embedded cluster by PostgreSQL's low-level interface: between `pg_backup_start` and `pg_backup_stop` the files are
 * copied as they are, and what changed meanwhile is repeated from the write-ahead log, of which the backup keeps the part that it needs.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { addressOf } from '../db/cluster.ts'
import type { PostgresFiles } from '../db/postgresFiles.ts'

/** What a backup says of itself: each file with its size in bytes and its SHA-256. */
export type Manifest = {
  readonly startedAt: string
  readonly finishedAt: string
  readonly postgres: string
  /** The first and the last segment of the write-ahead log that it needs to be whole. */
  readonly firstSegment: string
  readonly lastSegment: string
  readonly files: Readonly<Record<string, { readonly size: number; readonly sha256: string }>>
}

const MANIFEST = 'manifest.json'
/** Inside a backup: the cluster's files, and the password that opens it. */
export const CLUSTER = 'postgres'
export const PASSWORD = 'postgres.password'

/** What PostgreSQL's documentation says to leave out: it belongs to the running server, not to the data. */
const LEFT_OUT_CONTENTS = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT = /(^|\/)(postmaster\.(pid|opts)|pg_internal\.init|pgsql_tmp[^/]*|backup_label(\.old)?|tablespace_map(\.old)?)$/

type Files = Record<string, { size: number; sha256: string }>

/**
 * Copies the running cluster to a new directory `target`, which appears only when it is complete. Throws, leaving nothing behind, when the
 * copy cannot be made. Readers and writers go on meanwhile.
 */
export const takeBaseBackup = async (files: PostgresFiles, target: string): Promise<Manifest> => {
  const draft = `${target}.draft`
  await mkdir(draft, { recursive: true, mode: 0o700 })
  const client = new pg.Client({ ...addressOf(files), database: 'postgres', application_name: 'backup' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const manifest = await copyWhileServing(client, files, draft)
    await writeFile(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 })
    await flush(draft)
    await rename(draft, target)
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  } finally {
    await client.end()
  }
}

const copyWhileServing = async (client: pg.Client, files: PostgresFiles, draft: string): Promise<Manifest> => {
  const startedAt = new Date().toISOString()
  // The temporary slot keeps the log that the backup needs from being recycled while it runs.
  await client.query("SELECT pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)")
  const first = await one(client, "SELECT pg_walfile_name(pg_backup_start('peer-lending-pool', true)) AS segment")
  const copied: Files = {}
  await copyDirectory(files.cluster, { draft, path: CLUSTER, copied })
  const stopped = await one(
    client,
    "SELECT pg_walfile_name(lsn) AS segment, labelfile, spcmapfile, current_setting('server_version') AS version FROM pg_backup_stop(current_setting('archive_mode') = 'on')",
  )
  await keepText(draft, { path: `${CLUSTER}/backup_label`, text: stopped.labelfile ?? '', copied })
  if (stopped.spcmapfile) await keepText(draft, { path: `${CLUSTER}/tablespace_map`, text: stopped.spcmapfile, copied })
  const firstSegment = first.segment ?? ''
  const lastSegment = stopped.segment ?? ''
  await copyLog(files.cluster, { draft, copied, firstSegment, lastSegment })
  await copyOne(files.passwordFile, { draft, path: PASSWORD, copied })
  return { startedAt, finishedAt: new Date().toISOString(), postgres: stopped.version ?? '', firstSegment, lastSegment, files: copied }
}

const one = async (client: pg.Client, sql: string): Promise<Record<string, string | undefined>> => (await client.query(sql)).rows[0]

type Place = { readonly draft: string; readonly path: string; readonly copied: Files }

const copyDirectory = async (source: string, place: Place): Promise<void> => {
  await mkdir(join(place.draft, place.path), { mode: 0o700 })
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const path = `${place.path}/${entry.name}`
    if (LEFT_OUT.test(path)) continue
    const within = join(source, entry.name)
    if (entry.isDirectory() && LEFT_OUT_CONTENTS.has(entry.name)) await mkdir(join(place.draft, path), { mode: 0o700 })
    else if (entry.isDirectory()) await copyDirectory(within, { ...place, path })
    else if (entry.isFile()) await copyOne(within, { ...place, path })
    else throw new Error(`${within} is neither a file nor a directory: tablespaces outside the data directory are not supported.`)
  }
}

/** A file that is gone by the time it is read was dropped: the log says so too. */
const copyOne = async (source: string, { draft, path, copied }: Place): Promise<void> => {
  const hash = createHash('sha256')
  let size = 0
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  try {
    await pipeline(createReadStream(source), count, createWriteStream(join(draft, path), { mode: 0o600 }))
  } catch (error) {
    if (!isMissing(error, source)) throw error
    await rm(join(draft, path), { force: true })
    return
  }
  copied[path] = { size, sha256: hash.digest('hex') }
}

const isMissing = (error: unknown, path: string): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'path' in error && error.path === path

const keepText = async (draft: string, { path, text, copied }: { path: string; text: string; copied: Files }): Promise<void> => {
  await writeFile(join(draft, path), text, { mode: 0o600 })
  copied[path] = { size: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') }
}

type Segments = { readonly draft: string; readonly copied: Files; readonly firstSegment: string; readonly lastSegment: string }

const copyLog = async (cluster: string, { draft, copied, firstSegment, lastSegment }: Segments): Promise<void> => {
  const names = (await readdir(join(cluster, 'pg_wal'))).filter(
    (name) => name.endsWith('.history') || (/^[0-9A-F]{24}$/.test(name) && name >= firstSegment && name <= lastSegment),
  )
  for (const name of names) await copyOne(join(cluster, 'pg_wal', name), { draft, path: `${CLUSTER}/pg_wal/${name}`, copied })
  for (const needed of [firstSegment, lastSegment])
    if (!names.includes(needed)) throw new Error(`The segment ${needed} of the write-ahead log is gone: the backup would not be whole.`)
}

/** A backup counts once it would survive a power cut. */
const flush = async (directory: string): Promise<void> => {
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    const handle = await open(join(entry.parentPath, entry.name), 'r')
    await handle.sync()
    await handle.close()
  }
}

/** The manifest of a backup whose every file is there and as it was written. Throws, naming the first that is not. */
export const verifyBackup = async (backup: string): Promise<Manifest> => {
  const manifest = await readManifest(backup)
  for (const [path, { size, sha256 }] of Object.entries(manifest.files)) {
    const file = join(backup, path)
    const found = await stat(file).catch(() => undefined)
    if (found?.size !== size || (await digestOf(file)) !== sha256)
      throw new Error(`The backup is damaged: ${file} is not as it was written.`)
  }
  return manifest
}

export const readManifest = async (backup: string): Promise<Manifest> => {
  try {
    return JSON.parse(await readFile(join(backup, MANIFEST), 'utf8')) as Manifest
  } catch {
    throw new Error(`${backup} is not a backup: it has no ${MANIFEST} that can be read.`)
  }
}

const digestOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
