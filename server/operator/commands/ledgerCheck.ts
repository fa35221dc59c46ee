import { resolve } from 'node:path'
import { checkLedger, findingOf } from '../../ledger/check/check.ts'
import { checkArchive } from '../../ledger/check/checkArchive.ts'
import { readMonth } from '../backup/months.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { runCommand } from './command.ts'
import { print } from './output.ts'

const usage = `Usage:
  npm run ledger:check [-- --archive DIRECTORY]     with DIRECTORY, also recomputes the archived months in it`

await runCommand(() => {
  const { words, options } = argumentsOf(usage, 'archive')
  const { archive } = options
  if (words.length > 0) throw new UsageError(usage)

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
