import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkAudit } from '../audit/check.ts'
import { type Head, sealAudit } from '../audit/seal.ts'
import { restoreDump } from '../backup/dump.ts'
import { restoreBaseBackup } from '../backup/restoreBackup.ts'
import { type Config, readConfig } from '../config.ts'
import { findKeys } from '../keys/keyFile.ts'
import { checkLedger, findingOf } from '../ledger/check.ts'
import { preparePostgresFiles } from '../postgres/files.ts'
import { endCommand, headFrom, print, runCommand, UsageError } from './command.ts'

const usage = `Usage:
  npm run restore -- BACKUP                              the moment at which the backup ended
  npm run restore -- BACKUP --archive WAL_ARCHIVE        as far as the archived log goes
  npm run restore -- BACKUP --archive WAL_ARCHIVE --until 2026-01-31T12:00:00Z
  npm run restore -- BACKUP --head POSITION HASH         a head of the audit chain that was kept: it must be in what was restored
The target is DATA_DIR, which must hold no database yet, or DATABASE_URL, which must be empty.`

const momentFrom = (text: string): Date => {
  const moment = new Date(text)
  // Requires a zone, since a moment without one differs by machine.
  if (Number.isNaN(moment.getTime()) || !/(Z|[+-]\d\d:\d\d)$/.test(text))
    throw new UsageError(`'${text}' is not a moment with a time zone.\n${usage}`)
  return moment
}

type Wanted = {
  readonly backup: string
  readonly archive: string | undefined
  readonly until: Date | undefined
  readonly head: Head | undefined
}

const readWanted = (): Wanted => {
  const { values, positionals } = parseArgs({
    options: { archive: { type: 'string' }, until: { type: 'string' }, head: { type: 'string' } },
    allowPositionals: true,
    strict: false,
  })
  const { archive, until, head } = values
  // A head is two words, and the parser takes the second as a positional argument.
  const [backup, hash, ...rest] = positionals
  const known = head === undefined ? undefined : headFrom([head, hash].join(' '))
  if (
    backup === undefined ||
    rest.length > 0 ||
    ((head ?? hash) !== undefined && !known) ||
    (until !== undefined && archive === undefined)
  )
    throw new UsageError(usage)
  if (!existsSync(backup)) throw new UsageError(`There is no backup at ${backup}.\n${usage}`)
  return {
    backup: resolve(backup),
    archive: typeof archive === 'string' ? resolve(archive) : undefined,
    until: typeof until === 'string' ? momentFrom(until) : undefined,
    head: known,
  }
}

const bringBack = async (config: Config, wanted: Wanted): Promise<void> => {
  const keys = findKeys(config)
  const { databaseUrl, databaseDirectUrl, databaseOwnerUrl } = config
  if (databaseUrl !== undefined)
    return restoreDump(databaseOwnerUrl ?? databaseDirectUrl ?? databaseUrl, wanted.backup, keys)
  await restoreBaseBackup(preparePostgresFiles(config.dataDir, print), { ...wanted, keys })
}

/** Checks the restored ledger and audit trail. Exits with 1 when either is not whole. */
const verify = (head: Head | undefined) =>
  runCommand(() => async (product) => {
    const ledger = await checkLedger(product.db, product.keys)
    const finding = findingOf(ledger)
    await sealAudit(product)
    const { entries, firstBreak } = await checkAudit(product, head)
    if (finding) throw new Error(`The restored database is not whole: ${finding}`)
    if (firstBreak) throw new Error(`The restored database is not whole: ${firstBreak.sentence}`)
    print(
      `Restored, and whole: ${ledger.accounts} accounts equal their ${ledger.transfers} transfers, and ${entries} audit entries are sealed.`,
    )
    if (head) print(`The audit chain contains the given head at ${head.position}.`)
    print('Take a new backup once the product runs on this database.')
  })

try {
  const wanted = readWanted()
  await bringBack(readConfig(process.env), wanted)
  await verify(wanted.head)
} catch (error) {
  endCommand(error)
}
