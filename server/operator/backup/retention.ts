/** Which backups of a directory count, and which are older than those that an operator keeps. */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Keys } from '../../base/keys/keys.ts'
import { CLUSTER } from './baseBackup.ts'
import { dumpHasEntry } from './dump.ts'
import {
  type ClusterManifest,
  compareContent,
  compareFiles,
  compareNames,
  contentOf,
  type DumpManifest,
  MANIFEST,
  readSigned,
  type Signed,
} from './manifest.ts'

/** Name of a backup: the moment of its start in UTC. */
export const nameOf = (moment: Date): string => moment.toISOString().replaceAll(':', '-')
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

type Backup = {
  readonly path: string
  readonly manifest: ClusterManifest | DumpManifest
  readonly mac: string
}
/** A folder that is neither counted nor deleted, with the reason as a sentence. */
type Ignored = { readonly path: string; readonly reason: string }

/** The number of the next backup in a directory: greater than that of each signed one in it. */
export const nextNumber = async (directory: string, keys: Keys): Promise<number> => {
  const { backups } = await signedIn(directory, keys)
  return 1 + Math.max(0, ...backups.map(numberOf))
}

const numberOf = ({ manifest }: Backup): number => manifest.number ?? 0

/** The newest first. Clocks order only those of earlier versions, which have no number. */
const byAge = (a: Backup, b: Backup): number =>
  numberOf(b) - numberOf(a) || (a.manifest.startedAt < b.manifest.startedAt ? 1 : -1)

const signedIn = async (directory: string, keys: Keys) => {
  const backups: Backup[] = []
  const ignored: Ignored[] = []
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (!NAME.test(entry.name)) continue
    const path = join(directory, entry.name)
    try {
      if (!entry.isDirectory()) throw new Error(`${path} is not a directory.`)
      backups.push(backupOf(path, await readSigned(path, keys)))
    } catch (error) {
      ignored.push({ path, reason: messageOf(error) })
    }
  }
  return { backups, ignored }
}

const backupOf = (path: string, { manifest, mac }: Signed): Backup => {
  if (manifest.kind !== 'cluster' && manifest.kind !== 'dump')
    throw new Error(`${path} is not a backup of a database.`)
  return { path, manifest, mac }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** The pool's backups by their use, the newest first. */
export type Retention = {
  readonly kept: readonly Backup[]
  /** Older than the kept ones. */
  readonly older: readonly Backup[]
  readonly ignored: readonly Ignored[]
}

/**
 * Divides the backups of the pool that `newest` was just made of: the newest `keep` that are whole,
 * and all older ones. Reads every byte of the kept ones. Throws when `newest` is not whole.
 */
export const divideBackups = async (
  directory: string,
  { newest, keep, keys }: { readonly newest: string; readonly keep: number; readonly keys: Keys },
): Promise<Retention> => {
  const { backups, ignored } = await signedIn(directory, keys)
  const made = backups.find(({ path }) => path === newest)
  if (!made) throw new Error(`${newest} cannot be read back. No backup was deleted.`)
  const kept: Backup[] = []
  const older: Backup[] = []
  const seen = new Set<string>()
  for (const backup of [made, ...backups.filter((each) => each !== made).sort(byAge)]) {
    const { path, manifest, mac } = backup
    try {
      if (seen.has(mac)) throw new Error('It is a copy of another backup.')
      if (!(await isSamePool(backup, made))) throw new Error('It is of another pool.')
      if (kept.length < keep) await compareFiles(path, manifest)
      const list = kept.length < keep ? kept : older
      list.push(backup)
      seen.add(mac)
    } catch (error) {
      if (backup === made) throw error
      ignored.push({ path, reason: messageOf(error) })
    }
  }
  return { kept, older, ignored }
}

/** Tells whether a backup is of the same pool as the one just made. Throws for a damaged one. */
const isSamePool = async (backup: Backup, made: Backup): Promise<boolean> => {
  const { pool } = made.manifest
  if (backup === made) return true
  if (backup.manifest.pool !== undefined) return backup.manifest.pool === pool
  await compareNames(backup.path, backup.manifest)
  const cluster = await clusterOf(made)
  if (cluster !== undefined) return (await clusterOf(backup)) === cluster
  if (pool === undefined || backup.manifest.kind !== 'dump') return false
  await compareFiles(backup.path, backup.manifest)
  return dumpHasEntry(backup.path, pool)
}

/** The file of a cluster that begins with its identifier, which a restore keeps. */
const CONTROL = `${CLUSTER}/global/pg_control`

/** The identifier of the cluster in a backup. Undefined for a dump. Throws when it is damaged. */
const clusterOf = async ({ path, manifest }: Backup): Promise<string | undefined> => {
  const content = manifest.files[CONTROL]
  if (manifest.kind !== 'cluster' || content === undefined) return undefined
  const file = join(path, CONTROL)
  compareContent(file, await contentOf(file), content)
  return (await readFile(file)).subarray(0, 8).toString('hex')
}

/** Deletes a backup. Its manifest goes last, so that the next run finishes an interrupted one. */
export const deleteBackup = async ({ path }: Backup): Promise<void> => {
  for (const name of await readdir(path))
    if (name !== MANIFEST) await rm(join(path, name), { recursive: true })
  await rm(path, { recursive: true })
}

/** The oldest log segment that these backups need. Undefined without a backup of a cluster. */
export const firstSegmentOf = (backups: readonly Backup[]): string | undefined =>
  backups
    .flatMap(({ manifest }) => (manifest.kind === 'cluster' ? [manifest.firstSegment] : []))
    // The first eight digits are the timeline.
    .sort((a, b) => (a.slice(8) < b.slice(8) ? -1 : 1))[0]
