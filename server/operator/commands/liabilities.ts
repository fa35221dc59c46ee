import { record } from '../../records/audit/record.ts'
import { checkLiabilities } from '../../reports/liabilities/check.ts'
import { leavesFile } from '../../reports/liabilities/leavesFile.ts'
import { makeLiabilities } from '../../reports/liabilities/make.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { operator, runCommand, type Work } from './command.ts'
import { print, printPiece } from './output.ts'

const usage = `Usage:
  npm run liabilities -- make      publishes what is owed to investors today, unless that is done
  npm run liabilities -- check     compares each day with its leaves, its signature and the audit trail
  npm run liabilities -- leaves YYYY-MM-DD     prints all leaves of a day with their salts as CSV, for an auditor`

const DAY = /^\d{4}-\d\d-\d\d$/

/** The file tells what each investor is owed, so the audit trail has its taking. */
const printLeaves =
  (day: string): Work =>
  async ({ db, keys }) => {
    const subject = { type: 'statement', id: `liabilities-leaves-${day}.csv` } as const
    let isOnRecord = false
    for await (const piece of leavesFile({ db, keys }, day)) {
      if (!isOnRecord)
        await record(db, keys, { by: operator(), action: 'statement.taken', subject })
      isOnRecord = true
      await printPiece(piece)
    }
  }

await runCommand(() => {
  const [verb, ...rest] = argumentsOf(usage).words
  if (verb === 'leaves') {
    const [day = '', ...more] = rest
    if (!DAY.test(day) || more.length > 0) throw new UsageError(usage)
    return printLeaves(day)
  }
  if (rest.length > 0) throw new UsageError(usage)
  if (verb === 'make')
    return async (product) => {
      const day = await makeLiabilities(product, operator())
      if (day) print(`What is owed to investors on ${day} is published.`)
      else print('Nothing to do: today is published, or another process is at it.')
    }
  if (verb !== 'check') throw new UsageError(usage)
  return async ({ db, keys }) => {
    const { days, fault } = await checkLiabilities({ db, keys })
    if (fault) throw new Error(fault)
    print(
      `${days.length} days are whole: each file has its signature, its leaves and its entry on record.`,
    )
  }
})
