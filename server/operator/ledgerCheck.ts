import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readMonth } from '../backup/months.ts'
import { checkLedger, findingOf } from '../ledger/check.ts'
import { checkArchive } from '../ledger/checkArchive.ts'
import { print, runCommand, UsageError } from './command.ts'

const usage = `Usage:
  npm run ledger:check [-- --archive DIRECTORY]     with DIRECTORY, also recomputes the archived months in it`

await runCommand(() => {
  const { values, positionals } = parseArgs({
    options: { archive: { type: 'string' } },
    allowPositionals: true,
    strict: false,
  })
  const { archive } = values
  if (positionals.length > 0 || (archive !== undefined && typeof archive !== 'string'))
    throw new UsageError(usage)

  return async ({ db, owner, keys }) => {
    const check = await checkLedger(db, keys)
    const finding =
      findingOf(check) ??
      (archive && (await checkArchive(owner, (month) => readMonth(resolve(archive), keys, month))))
    if (finding) throw new Error(finding)
    const { accounts, transfers, months } = check
    const since = months > 0 ? ` since ${months} signed archived months` : ''
    print(
      `The ledger is whole: ${accounts} accounts equal their ${transfers} transfers${since}, and every transaction and investment has its own.\nThe tallies equal a recount.`,
    )
    if (archive) print('The archived months equal their closing balances.')
  }
})
