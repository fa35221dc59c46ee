import { checkLedger, findingOf } from '../ledger/check.ts'
import { print, runCommand } from './command.ts'

await runCommand(() => async ({ db }) => {
  const check = await checkLedger(db)
  const finding = findingOf(check)
  if (finding) throw new Error(finding)
  const { accounts, transfers } = check
  print(
    `The ledger is whole: ${accounts} accounts equal their ${transfers} transfers, and every transaction and investment has its own.\nThe tallies equal a recount.`,
  )
})
