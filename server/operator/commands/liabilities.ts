import { checkLiabilities } from '../../reports/liabilities/check.ts'
import { makeLiabilities } from '../../reports/liabilities/make.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { operator, runCommand } from './command.ts'
import { print } from './output.ts'

const usage = `Usage:
  npm run liabilities -- make      publishes what is owed to investors today, unless that is done
  npm run liabilities -- check     compares each day with its leaves, its signature and the audit trail`

await runCommand(() => {
  const [verb, ...rest] = argumentsOf(usage).words
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
