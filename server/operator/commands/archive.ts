import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { archiveMonth } from '../../ledger/archive/archiveMonth.ts'
import { writeMonth } from '../backup/months.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { runCommand } from './command.ts'
import { print } from './output.ts'

const usage = `Usage:
  npm run archive -- YYYY-MM DIRECTORY     writes the movements of the oldest month to DIRECTORY/YYYY-MM and drops them`

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

await runCommand(() => {
  const [month = '', directory, ...rest] = argumentsOf(usage).words
  if (directory === undefined || rest.length > 0) throw new UsageError(usage)
  if (!MONTH.test(month))
    throw new UsageError(`'${month}' is not a month such as 2026-01.\n${usage}`)

  return async ({ owner, keys }) => {
    const place = resolve(directory)
    await mkdir(place, { recursive: true, mode: 0o700 })
    const { movements, sha256 } = await archiveMonth(owner, {
      keys,
      month,
      write: (content) => writeMonth(place, keys, content),
    })
    print(
      `${place}/${month}: ${movements} movements, SHA-256 ${sha256}. The database has their closing balances.\nCopy the directory to a place of its own before the next backup.`,
    )
  }
})
