import { chmodSync, chownSync, cpSync, existsSync, lchownSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { fetchCommand, prepareArchive } from '../db/archive.ts'
import { addressOf, startServer } from '../db/cluster.ts'
import type { PostgresFiles } from '../db/postgresFiles.ts'
import { runningServer, stopServer } from '../db/postmaster.ts'
import { CLUSTER, type Manifest, PASSWORD, verifyBackup } from './baseBackup.ts'

type Options = {
  readonly backup: string
  /** Where the write-ahead log was archived: what happened after the backup is repeated from there. */
  readonly archive?: string | undefined
  /** Repeat what was committed up to this moment, and nothing after it; undefined: as far as the archive goes. */
  readonly until?: Date | undefined
}

/**
 * Makes the cluster of a data directory that has none from a backup, verified file by file, and lets PostgreSQL bring it to the moment
 * asked for. Throws, leaving the data directory as it was, when there is a cluster already, the backup is damaged, or the log does not
 * reach that far.
 */
export const restoreBaseBackup = async (files: PostgresFiles, { backup, archive, until }: Options): Promise<Manifest> => {
  if (existsSync(files.cluster))
    throw new Error(`There is a database in ${files.home} already. Nothing was changed. Set DATA_DIR to an empty directory.`)
  const manifest = await verifyBackup(backup)
  if (until && until < new Date(manifest.finishedAt))
    throw new Error(`The backup was finished at ${manifest.finishedAt}: take an older one to go back to ${until.toISOString()}.`)
  try {
    copyCluster(files, backup)
    await repeatFrom(files, archive, until)
    await recover(files)
  } catch (error) {
    const processId = runningServer(files)
    if (processId !== undefined) await stopServer(processId)
    for (const path of [files.cluster, files.passwordFile]) rmSync(path, { recursive: true, force: true })
    throw error
  }
  return manifest
}

const copyCluster = (files: PostgresFiles, backup: string): void => {
  // Renamed when complete, so that an interrupted copy is never taken for a whole one.
  const unfinished = `${files.cluster}.restoring`
  rmSync(unfinished, { recursive: true, force: true })
  cpSync(join(backup, CLUSTER), unfinished, { recursive: true })
  chmodSync(unfinished, 0o700)
  cpSync(join(backup, PASSWORD), files.passwordFile)
  if (files.identity) giveTo(unfinished, files.identity)
  renameSync(unfinished, files.cluster)
}

const giveTo = (path: string, { uid, gid }: { uid: number; gid: number }): void => {
  lchownSync(path, uid, gid)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) giveTo(join(path, entry.name), { uid, gid })
    else chownSync(join(path, entry.name), uid, gid)
  }
}

const SETTINGS_OF_RECOVERY = ['restore_command', 'recovery_target_time', 'recovery_target_action']

// Also without an archive: what is restored begins a timeline of its own, and so can never be taken for what it was copied from.
const repeatFrom = async (files: PostgresFiles, archive: string | undefined, until: Date | undefined): Promise<void> => {
  if (archive !== undefined) prepareArchive(archive, files.identity)
  const fetch = archive === undefined ? 'false' : fetchCommand(archive)
  const lines = [
    `restore_command = '${fetch.replaceAll("'", "''")}'`,
    ...(until
      ? [`recovery_target_time = '${until.toISOString().replace('T', ' ').replace('Z', '+00')}'`, "recovery_target_action = 'promote'"]
      : []),
  ]
  await appendFile(join(files.cluster, 'postgresql.auto.conf'), `${lines.join('\n')}\n`)
  const signal = join(files.cluster, 'recovery.signal')
  writeFileSync(signal, '')
  if (files.identity) chownSync(signal, files.identity.uid, files.identity.gid)
}

/** Lets PostgreSQL repeat the log, and stops it again. Nothing is archived meanwhile: it is not the product's database yet. */
const recover = async (files: PostgresFiles): Promise<void> => {
  const server = await startServer(files, { archive_mode: 'off' })
  const client = await whenRecovered(files, () => server.exitCode === null && server.signalCode === null)
  for (const name of SETTINGS_OF_RECOVERY) await client.query(`ALTER SYSTEM RESET ${name}`)
  await client.query('CHECKPOINT')
  await client.end()
  await stopServer(server.pid ?? 0)
}

const whenRecovered = async (files: PostgresFiles, isRunning: () => boolean): Promise<pg.Client> => {
  for (;;) {
    const client = new pg.Client({ ...addressOf(files), database: 'postgres' })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering')
      if (rows[0]?.recovering === false) return client
      await client.end()
    } catch (cause) {
      await client.end().catch(() => undefined)
      if (!isRunning())
        throw new Error(`The log does not reach that far, or part of it is missing. The end of ${files.logFile} says why.`, { cause })
    }
    await wait(100)
  }
}
