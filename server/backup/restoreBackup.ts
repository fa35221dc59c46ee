import {
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Keys } from '../keys/keys.ts'
import { fetchCommand, prepareArchive } from '../postgres/archive.ts'
import { addressOf, makeCluster, startServer } from '../postgres/cluster.ts'
import type { PostgresFiles } from '../postgres/files.ts'
import { runningServer, stopServer } from '../postgres/postmaster.ts'
import type { Identity } from '../process/systemUser.ts'
import { CLUSTER, isData, PASSWORD } from './baseBackup.ts'
import { type ClusterManifest, compareNames, copyVerified, readManifest } from './manifest.ts'

type Options = {
  readonly backup: string
  /** Of the product that made the backup. */
  readonly keys: Keys
  /**
   * Where the write-ahead log was archived: what happened after the backup is repeated from there.
   */
  readonly archive?: string | undefined
  /**
   * Repeat what was committed up to this moment, and nothing after it; undefined: as far as the
   * archive goes.
   */
  readonly until?: Date | undefined
}

/**
 * Makes the cluster of a data directory that has none from a backup, verified file by file, and
 * lets PostgreSQL bring it to the moment asked for. Throws, leaving the data directory as it was,
 * when there is a cluster already, the backup was tampered with or is damaged, or the log does not
 * reach that far.
 */
export const restoreBaseBackup = async (
  files: PostgresFiles,
  { backup, keys, archive, until }: Options,
): Promise<ClusterManifest> => {
  if (existsSync(files.cluster))
    throw new Error(
      `There is a database in ${files.home} already. Nothing was changed. Set DATA_DIR to an empty directory.`,
    )
  const manifest = await readManifest(backup, 'cluster', keys)
  await compareNames(backup, manifest)
  requireData(backup, manifest)
  if (until && until < new Date(manifest.finishedAt))
    throw new Error(
      `The backup was finished at ${manifest.finishedAt}: take an older one to go back to ${until.toISOString()}.`,
    )
  const unfinished = `${files.cluster}.restoring`
  try {
    rmSync(unfinished, { recursive: true, force: true })
    rmSync(files.passwordFile, { force: true })
    await makeEmptyCluster(files, unfinished)
    await copyData(files, { backup, manifest, to: unfinished })
    // Renamed when complete, so that an interrupted copy is never taken for a whole one.
    renameSync(unfinished, files.cluster)
    await recover(files, archive, until)
  } catch (error) {
    const processId = runningServer(files)
    if (processId !== undefined) await stopServer(processId)
    for (const path of [unfinished, files.cluster, files.passwordFile])
      rmSync(path, { recursive: true, force: true })
    throw error
  }
  return manifest
}

/**
 * A cluster with the settings of a new one and without data. Settings are never taken from a
 * backup: they can name programs.
 */
const makeEmptyCluster = async (files: PostgresFiles, place: string): Promise<void> => {
  mkdirSync(place, { mode: 0o700 })
  await makeCluster(files, place)
  for (const entry of readdirSync(place, { withFileTypes: true, recursive: true }))
    if (!entry.isDirectory() && !SETTINGS.test(entry.name))
      rmSync(join(entry.parentPath, entry.name))
}

const SETTINGS = /\.conf$/

type Copy = { readonly backup: string; readonly manifest: ClusterManifest; readonly to: string }

const copyData = async (files: PostgresFiles, { backup, manifest, to }: Copy): Promise<void> => {
  for (const [name, content] of Object.entries(manifest.files)) {
    const target = name === PASSWORD ? files.passwordFile : join(to, inCluster(name))
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    // The new cluster's password gives way to the one of its data.
    rmSync(target, { force: true })
    await copyVerified(join(backup, name), target, content)
  }
  writeFileSync(join(to, 'recovery.signal'), '', { mode: 0o600 })
  if (files.identity) giveTo(to, files.identity)
}

const inCluster = (name: string): string => name.slice(`${CLUSTER}/`.length)

const requireData = (backup: string, { files }: ClusterManifest): void => {
  for (const name of Object.keys(files))
    if (name !== PASSWORD && !(name.startsWith(`${CLUSTER}/`) && isData(inCluster(name))))
      throw new Error(`${join(backup, name)} is no data of a database. Nothing was restored.`)
}

const giveTo = (path: string, { uid, gid }: Identity): void => {
  lchownSync(path, uid, gid)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) giveTo(join(path, entry.name), { uid, gid })
    else chownSync(join(path, entry.name), uid, gid)
  }
}

// Also without an archive: what is restored begins a timeline of its own, and so can never be taken
// for what it was copied from.
const settingsOfRecovery = (
  archive: string | undefined,
  until: Date | undefined,
): Readonly<Record<string, string>> => ({
  restore_command: archive === undefined ? 'false' : fetchCommand(archive),
  ...(until && {
    recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00'),
    recovery_target_action: 'promote',
  }),
})

/**
 * Lets PostgreSQL repeat the log, and stops it again. Nothing is archived meanwhile: it is not the
 * product's database yet.
 */
const recover = async (
  files: PostgresFiles,
  archive: string | undefined,
  until: Date | undefined,
): Promise<void> => {
  if (archive !== undefined) prepareArchive(archive, files.identity)
  const server = await startServer(files, {
    archive_mode: 'off',
    ...settingsOfRecovery(archive, until),
  })
  const client = await whenRecovered(
    files,
    () => server.exitCode === null && server.signalCode === null,
  )
  await client.query('CHECKPOINT')
  await client.end()
  await stopServer(server.pid ?? 0)
}

const whenRecovered = async (
  files: PostgresFiles,
  isRunning: () => boolean,
): Promise<pg.Client> => {
  for (;;) {
    const client = new pg.Client({ ...addressOf(files), database: 'postgres' })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ recovering: boolean }>(
        'SELECT pg_is_in_recovery() AS recovering',
      )
      if (rows[0]?.recovering === false) return client
      await client.end()
    } catch (cause) {
      await client.end().catch(() => undefined)
      if (!isRunning())
        throw new Error(
          `The log does not reach that far, or part of it is missing. The end of ${files.logFile} says why.`,
          { cause },
        )
    }
    await wait(100)
  }
}
