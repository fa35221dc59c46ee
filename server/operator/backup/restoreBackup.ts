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
import type { Keys } from '../../base/keys/keys.ts'
import { fetchCommand, prepareArchive } from '../../base/postgres/archive.ts'
import { addressOf, makeCluster, startServer } from '../../base/postgres/cluster.ts'
import type { PostgresFiles } from '../../base/postgres/files.ts'
import { runningServer, stopServer } from '../../base/postgres/postmaster.ts'
import type { Identity } from '../../base/process/systemUser.ts'
import { CLUSTER, isData, PASSWORD } from './baseBackup.ts'
import { type ClusterManifest, compareNames, copyVerified, readManifest } from './manifest.ts'

type Options = {
  readonly backup: string
  /** Keys of the product that made the backup. */
  readonly keys: Keys
  /** Directory of the archived write-ahead log, replayed after the backup. */
  readonly archive?: string | undefined
  /** Replays commits up to this moment. Undefined replays the whole archive. */
  readonly until?: Date | undefined
}

/**
 * Makes a new cluster from a verified backup, recovered to the requested moment. Throws, and
 * restores the directory, for an existing cluster, a bad backup or a short log.
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
      `The backup was finished at ${manifest.finishedAt}. Take an older one to go back to ${until.toISOString()}.`,
    )
  const unfinished = `${files.cluster}.restoring`
  try {
    rmSync(unfinished, { recursive: true, force: true })
    rmSync(files.passwordFile, { force: true })
    await makeEmptyCluster(files, unfinished)
    await copyData(files, { backup, manifest, to: unfinished })
    // Renamed when complete, so that an interrupted copy is never used.
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

/** Makes a cluster without data, with default settings. A backup's settings could name programs. */
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
    // Replaces the new cluster's password by the backup's.
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
      throw new Error(`${join(backup, name)} is not database data.`)
}

const giveTo = (path: string, { uid, gid }: Identity): void => {
  lchownSync(path, uid, gid)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) giveTo(join(path, entry.name), { uid, gid })
    else chownSync(join(path, entry.name), uid, gid)
  }
}

// Runs recovery without an archive too. A new timeline tells the copy from its original.
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
 * Replays the log, then stops the server. Archives nothing, since the product does not use it yet.
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
