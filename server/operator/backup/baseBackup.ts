/**
 * Online copy of the embedded cluster through PostgreSQL's low-level backup interface. Replaying
 * the copied log makes the files consistent.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Keys } from '../../base/keys/keys.ts'
import { addressOf } from '../../base/postgres/cluster.ts'
import type { PostgresFiles } from '../../base/postgres/files.ts'
import { type ClusterManifest, type Content, copyFile, type Mark, makeBackup } from './manifest.ts'

/** Paths in a backup of the cluster's files and its password. */
export const CLUSTER = 'postgres'
export const PASSWORD = 'postgres.password'

/** Paths that are data. Settings are never copied or restored, since they can name programs. */
const DATA =
  /^(PG_VERSION|backup_label|base|global|pg_(commit_ts|logical|multixact|stat|tblspc|twophase|wal|xact))(\/|$)/
export const isData = (pathInCluster: string): boolean => DATA.test(pathInCluster)

/** Files that PostgreSQL's documentation excludes, because they belong to the running server. */
const LEFT_OUT = /(^|\/)(backup_label|pg_internal\.init|pgsql_tmp[^/]*)$/

type Copied = Record<string, Content>

/**
 * Copies the running cluster to the new directory `target`, which appears only when complete.
 * Throws and removes the draft on failure. Reads and writes continue meanwhile.
 */
export const takeBaseBackup = async (
  files: PostgresFiles,
  target: string,
  { keys, pool, number }: Mark & { readonly keys: Keys },
): Promise<ClusterManifest> => {
  const client = new pg.Client({
    ...addressOf(files),
    database: 'postgres',
    application_name: 'backup',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await makeBackup(target, keys, async (draft) => ({
      pool,
      number,
      ...(await copyWhileServing(client, files, draft)),
    }))
  } finally {
    await client.end()
  }
}

const copyWhileServing = async (
  client: pg.Client,
  files: PostgresFiles,
  draft: string,
): Promise<ClusterManifest> => {
  const startedAt = new Date().toISOString()
  // A temporary slot keeps the server from recycling the log that the backup needs.
  await client.query(
    "SELECT pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)",
  )
  const first = await one(
    client,
    "SELECT pg_walfile_name(pg_backup_start('peer-lending-pool', true)) AS segment",
  )
  const copied: Copied = {}
  await copyDirectory(files.cluster, { draft, path: CLUSTER, copied })
  const stopped = await one(
    client,
    "SELECT pg_walfile_name(lsn) AS segment, labelfile, current_setting('server_version') AS version FROM pg_backup_stop(current_setting('archive_mode') = 'on')",
  )
  await keepText(draft, { path: `${CLUSTER}/backup_label`, text: stopped.labelfile ?? '', copied })
  const firstSegment = first.segment ?? ''
  const lastSegment = stopped.segment ?? ''
  await copyLog(files.cluster, { draft, copied, firstSegment, lastSegment })
  await copyOne(files.passwordFile, { draft, path: PASSWORD, copied })
  const postgres = stopped.version ?? ''
  return {
    kind: 'cluster',
    startedAt,
    finishedAt: new Date().toISOString(),
    postgres,
    firstSegment,
    lastSegment,
    files: copied,
  }
}

const one = async (client: pg.Client, sql: string): Promise<Record<string, string | undefined>> =>
  (await client.query(sql)).rows[0]

type Place = { readonly draft: string; readonly path: string; readonly copied: Copied }

const copyDirectory = async (source: string, place: Place): Promise<void> => {
  await mkdir(join(place.draft, place.path), { mode: 0o700 })
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const path = `${place.path}/${entry.name}`
    const inCluster = path.slice(`${CLUSTER}/`.length)
    // The log is copied last, when its end is known.
    if (!isData(inCluster) || LEFT_OUT.test(path)) continue
    const within = join(source, entry.name)
    if (inCluster === 'pg_wal') await mkdir(join(place.draft, path), { mode: 0o700 })
    else if (entry.isDirectory()) await copyDirectory(within, { ...place, path })
    else if (entry.isFile()) await copyOne(within, { ...place, path })
    else
      throw new Error(
        `${within} is neither a file nor a directory. Tablespaces outside the data directory are not supported.`,
      )
  }
}

/** Skips a file that was dropped meanwhile. The log records the drop. */
const copyOne = async (source: string, { draft, path, copied }: Place): Promise<void> => {
  try {
    copied[path] = await copyFile(source, join(draft, path))
  } catch (error) {
    if (!isMissing(error, source)) throw error
    await rm(join(draft, path), { force: true })
  }
}

const isMissing = (error: unknown, path: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ENOENT' &&
  'path' in error &&
  error.path === path

const keepText = async (
  draft: string,
  { path, text, copied }: { path: string; text: string; copied: Copied },
): Promise<void> => {
  await writeFile(join(draft, path), text, { mode: 0o600 })
  copied[path] = {
    size: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  }
}

type Segments = {
  readonly draft: string
  readonly copied: Copied
  readonly firstSegment: string
  readonly lastSegment: string
}

const copyLog = async (
  cluster: string,
  { draft, copied, firstSegment, lastSegment }: Segments,
): Promise<void> => {
  const names = (await readdir(join(cluster, 'pg_wal'))).filter(
    (name) =>
      name.endsWith('.history') ||
      (/^[0-9A-F]{24}$/.test(name) && name >= firstSegment && name <= lastSegment),
  )
  for (const name of names)
    await copyOne(join(cluster, 'pg_wal', name), {
      draft,
      path: `${CLUSTER}/pg_wal/${name}`,
      copied,
    })
  for (const needed of [firstSegment, lastSegment])
    if (!names.includes(needed))
      throw new Error(
        `The segment ${needed} of the write-ahead log is gone. Take the backup again.`,
      )
}
