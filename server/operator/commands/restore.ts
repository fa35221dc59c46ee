import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Config, readConfig } from '../../base/configuration/config.ts'
import { findKeys } from '../../base/keys/keyFile.ts'
import { preparePostgresFiles } from '../../base/postgres/files.ts'
import { checkLedger, findingOf } from '../../ledger/check/check.ts'
import { checkAudit } from '../../records/audit/check.ts'
import { type Head, sealAudit } from '../../records/audit/seal.ts'
import { restoreDump } from '../backup/dump.ts'
import { restoreBaseBackup } from '../backup/restoreBackup.ts'
import { markCopy } from '../rehearsal/state.ts'
import { argumentsOf, headFrom, momentFrom, UsageError } from './arguments.ts'
import { endCommand, operator, runCommand } from './command.ts'
import { endRevived } from './endRevived.ts'
import { note, print } from './output.ts'
import { placeOf } from './pool.ts'

const usage = `Usage:
  npm run restore -- BACKUP                              the moment at which the backup ended
  npm run restore -- BACKUP --archive WAL_ARCHIVE        as far as the archived log goes
  npm run restore -- BACKUP --archive WAL_ARCHIVE --until 2026-01-31T12:00:00Z
  npm run restore -- BACKUP --head POSITION HASH         a head of the audit chain that was kept: it must be in what was restored
  npm run restore -- BACKUP --for rehearsal              a copy in which a wind-down is rehearsed, and which is never served
The target is DATA_DIR, which must hold no database yet, or DATABASE_URL, which must be empty.`

const untilFrom = (text: string): Date => {
  const moment = momentFrom(text)
  if (moment) return moment
  throw new UsageError(
    `'${text}' is not a moment with a time zone, such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00.000+01:00.\n${usage}`,
  )
}

type RestoreOptions = {
  readonly backup: string
  readonly archive: string | undefined
  readonly until: Date | undefined
  readonly head: Head | undefined
  readonly isForRehearsal: boolean
}

const readWanted = (): RestoreOptions => {
  const { words, options } = argumentsOf(usage, 'archive', 'until', 'head', 'for')
  const { archive, until, head } = options
  // A head is two words, and the parser takes the second as a word of its own.
  const [backup, hash, ...rest] = words
  const known = head === undefined ? undefined : headFrom([head, hash].join(' '))
  if (
    backup === undefined ||
    rest.length > 0 ||
    ((head ?? hash) !== undefined && !known) ||
    (until !== undefined && archive === undefined) ||
    (options.for !== undefined && options.for !== 'rehearsal')
  )
    throw new UsageError(usage)
  if (!existsSync(backup)) throw new UsageError(`There is no backup at ${backup}.\n${usage}`)
  return {
    backup: resolve(backup),
    archive: archive === undefined ? undefined : resolve(archive),
    until: until === undefined ? undefined : untilFrom(until),
    head: known,
    isForRehearsal: options.for !== undefined,
  }
}

const bringBack = async (config: Config, wanted: RestoreOptions): Promise<void> => {
  note(`Restoring to: ${placeOf(config)}`)
  const keys = findKeys(config)
  const { databaseUrl, databaseDirectUrl, databaseOwnerUrl } = config
  if (databaseUrl !== undefined)
    return restoreDump(databaseOwnerUrl ?? databaseDirectUrl ?? databaseUrl, wanted.backup, keys)
  await restoreBaseBackup(preparePostgresFiles(config.dataDir, print), { ...wanted, keys })
}

/** Checks the restored ledger and trail, then ends what came back. Exits with 1 on a fault. */
const verify = ({ head, isForRehearsal }: RestoreOptions) =>
  runCommand(
    () => async (product, config) => {
      const ledger = await checkLedger(product.db, product.keys)
      const finding = findingOf(ledger)
      await sealAudit(product)
      const { entries, firstBreak } = await checkAudit(product, ...(head ? [head] : []))
      if (finding) throw new Error(`The restored database is not whole: ${finding}`)
      if (firstBreak) throw new Error(`The restored database is not whole: ${firstBreak.sentence}`)
      print(
        `Restored, and whole: ${ledger.accounts} accounts equal their ${ledger.transfers} transfers, and ${entries} audit entries are sealed.`,
      )
      if (head) print(`The audit chain contains the given head at ${head.position}.`)
      const ended = await endRevived({ ...product, config }, operator())
      print(
        `Sessions ended: ${ended.sessions}. Keys for reading ended: ${ended.readingKeys}. Resets of factors stopped: ${ended.resets}.`,
      )
      if (isForRehearsal) {
        await markCopy(product.owner)
        print('This copy is never served. Next: npm run wind-down -- rehearse.')
      } else print('Take a new backup once the product runs on this database.')
    },
    'database',
  )

try {
  const wanted = readWanted()
  await bringBack(readConfig(process.env), wanted).catch((error: unknown) => {
    endCommand(error)
    throw new Error('Nothing was restored.', { cause: error })
  })
  await verify(wanted)
} catch (error) {
  endCommand(error)
}
