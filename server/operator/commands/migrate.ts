import { checkLedger, findingOf } from '../../ledger/check/check.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { runCommand } from './command.ts'
import { print } from './output.ts'
import { holdsPool } from './pool.ts'

const usage = `Usage:
  npm run migrate     makes the tables of a database, or brings them to this version, and checks the ledger`

// Every command migrates before its work. This one also takes a database that is empty.
await runCommand(() => {
  if (argumentsOf(usage).words.length > 0) throw new UsageError(usage)
  return async (product) => {
    print('The tables are those of this version.')
    if (!(await holdsPool(product)))
      return print('They hold no pool yet. The first start makes it.')
    const finding = findingOf(await checkLedger(product.db, product.keys))
    if (finding) throw new Error(finding)
    print('The ledger is whole.')
  }
}, 'database')
