import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { takeBaseBackup } from '../backup/baseBackup.ts'
import { dumpDatabase } from '../backup/dump.ts'
import { readManifest } from '../backup/manifest.ts'
import type { Config } from '../config.ts'
import type { Keys } from '../keys/keys.ts'
import { pruneArchive } from '../postgres/archive.ts'
import { preparePostgresFiles } from '../postgres/files.ts'
import { print, runCommand, UsageError } from './command.ts'

const usage = `Usage:
  npm run backup -- DIRECTORY [--keep N]     makes a backup in DIRECTORY and keeps the newest N (default: all)`

/** Name of a backup: its start in UTC, so that names sort by age. */
const nameOf = (moment: Date): string => moment.toISOString().replaceAll(':', '-')
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

/** Takes a backup and prints its summary. */
const take = async (
  { databaseUrl, databaseDirectUrl, databaseOwnerUrl, dataDir }: Config,
  directory: string,
  keys: Keys,
): Promise<void> => {
  const target = join(directory, nameOf(new Date()))
  if (databaseUrl === undefined) {
    const { files, lastSegment } = await takeBaseBackup(
      preparePostgresFiles(dataDir, () => undefined),
      target,
      keys,
    )
    const bytes = Object.values(files).reduce((sum, { size }) => sum + size, 0)
    print(
      `${target}: ${Object.keys(files).length} files, ${(bytes / 1_000_000).toFixed(1)} MB, complete with the log up to ${lastSegment}.`,
    )
    return
  }
  await dumpDatabase(databaseOwnerUrl ?? databaseDirectUrl ?? databaseUrl, target, keys)
  print(`${target}: the database at the start of the dump.`)
}

type Kept = { readonly directory: string; readonly keep: number; readonly keys: Keys }

const forgetOlder = async (
  { walArchive }: Config,
  { directory, keep, keys }: Kept,
): Promise<void> => {
  const backups = (await readdir(directory)).filter((name) => NAME.test(name)).sort()
  for (const name of backups.slice(0, -keep)) {
    await rm(join(directory, name), { recursive: true })
    print(`${join(directory, name)} was deleted.`)
  }
  const oldest = backups.slice(-keep)[0]
  if (walArchive === undefined || oldest === undefined) return
  const { firstSegment } = await readManifest(join(directory, oldest), 'cluster', keys)
  print(
    `${pruneArchive(walArchive, firstSegment)} archived log segments that no remaining backup needs were deleted.`,
  )
}

await runCommand(() => {
  const { values, positionals } = parseArgs({
    options: { keep: { type: 'string' } },
    allowPositionals: true,
    strict: false,
  })
  const [directory, ...rest] = positionals
  const keep = values.keep === undefined ? undefined : Number(values.keep)
  if (
    directory === undefined ||
    rest.length > 0 ||
    (keep !== undefined && !(Number.isInteger(keep) && keep > 0))
  )
    throw new UsageError(usage)

  return async ({ keys }, config) => {
    const place = resolve(directory)
    await mkdir(place, { recursive: true, mode: 0o700 })
    await take(config, place, keys)
    if (keep !== undefined) await forgetOlder(config, { directory: place, keep, keys })
  }
})
