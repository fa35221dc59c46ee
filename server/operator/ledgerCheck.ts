import { dollarsFromCents, formatDollars } from '@pool/contract/money'
import { checkLedger } from '../ledger/check.ts'
import { print, runCommand } from './command.ts'

await runCommand(() => async ({ db }) => {
  const { accounts, transfers, firstDifference, firstMismatch } = await checkLedger(db)
  if (firstDifference) {
    const { accountId, kind, ownerId, balance, transfers: sum } = firstDifference
    throw new Error(
      `Account ${accountId} (${kind} of ${ownerId}) has the balance ${formatDollars(dollarsFromCents(balance))}, but its transfers come to ${formatDollars(dollarsFromCents(sum))}.`,
    )
  }
  if (firstMismatch) {
    const { noun, id, status, moved } = firstMismatch
    throw new Error(`The ${noun} ${id} ${status} does not match its transfers: ${moved}.`)
  }
  print(`The ledger is whole: ${accounts} accounts equal their ${transfers} transfers, and every transaction and investment has its own.`)
})
