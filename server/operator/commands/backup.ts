import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../../base/configuration/config.ts'
import { pruneArchive } from '../../base/postgres/archive.ts'
import { preparePostgresFiles } from '../../base/postgres/files.ts'
import { takeBaseBackup } from '../backup/baseBackup.ts'
import { dumpDatabase } from '../backup/dump.ts'
import {
  deleteBackup,
  divideBackups,
  firstSegmentOf,
  nameOf,
  nextNumber,
} from '../backup/retention.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { type Opened, runCommand } from './command.ts'
import { note, print } from './output.ts'
import { poolId } from './pool.ts'

const usage = `Usage:
  npm run backup -- DIRECTORY [--keep N]     makes a backup in DIRECTORY and keeps the newest N that are whole (default: all)`

/** Takes a backup and prints its summary. Returns its path. */
const take = async (
  product: Opened,
  { databaseUrl, databaseDirectUrl, databaseOwnerUrl, dataDir }: Config,
  directory: string,
): Promise<string> => {
  const { keys } = product
  const target = join(directory, nameOf(new Date()))
  const mark = { keys, pool: await poolId(product), number: await nextNumber(directory, keys) }
  if (databaseUrl === undefined) {
    const { files, lastSegment } = await takeBaseBackup(
      preparePostgresFiles(dataDir, () => undefined),
      target,
      mark,
    )
    const bytes = Object.values(files).reduce((sum, { size }) => sum + size, 0)
    print(
      `${target}: ${Object.keys(files).length} files, ${(bytes / 1_000_000).toFixed(1)} MB, complete with the log up to ${lastSegment}.`,
    )
  } else {
    await dumpDatabase(databaseOwnerUrl ?? databaseDirectUrl ?? databaseUrl, target, mark)
    print(`${target}: the database at the start of the dump.`)
  }
  return target
}

type BackupsToKeep = Parameters<typeof divideBackups>[1]

const deleteOlder = async (
  { walArchive }: Config,
  directory: string,
  wanted: BackupsToKeep,
): Promise<void> => {
  const { kept, older, ignored } = await divideBackups(directory, wanted)
  for (const { path, reason } of ignored)
    note(`${path} does not count and was not deleted: ${reason}`)
  for (const backup of older) {
    await deleteBackup(backup)
    print(`${backup.path} was deleted.`)
  }
  const needed = firstSegmentOf(kept)
  if (walArchive === undefined || needed === undefined) return
  print(
    `${pruneArchive(walArchive, needed)} archived log segments that no remaining backup needs were deleted.`,
  )
}

await runCommand(() => {
  const { words, options } = argumentsOf(usage, 'keep')
  const [directory, ...rest] = words
  if (directory === undefined || rest.length > 0) throw new UsageError(usage)
  if (options.keep !== undefined && !/^[1-9]\d{0,5}$/.test(options.keep))
    throw new UsageError(`'${options.keep}' is not a number of backups, such as 7.\n${usage}`)
  const keep = options.keep === undefined ? undefined : Number(options.keep)

  return async (product, config) => {
    const place = resolve(directory)
    await mkdir(place, { recursive: true, mode: 0o700 })
    const newest = await take(product, config, place)
    if (keep !== undefined) await deleteOlder(config, place, { newest, keep, keys: product.keys })
  }
})
