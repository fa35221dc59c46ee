import { randomBytes } from 'node:crypto'
import { joinDatabase } from '../../base/db/connection.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { openPlans } from '../../ledger/families/knownPlans.ts'
import { fillSandbox, requireEmptySandbox } from '../demo/fill.ts'
import { admins, superAdmin } from '../demo/people.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { runCommand, type Work } from './command.ts'
import { commandLog, print } from './output.ts'
import { namesPlace } from './pool.ts'

const usage =
  'Usage:\n  npm run demo     fills an empty sandbox with 90 days of life and a book of loans'

/** Days of life, and the investors in them. */
const DAYS = 90
const INVESTORS = 200

const plan = (): Work => {
  if (argumentsOf(usage).words.length > 0) throw new UsageError(usage)
  return async (product, config) => {
    await requireEmptySandbox(product, { config })
    const begun = performance.now()
    const password = randomBytes(12).toString('base64url')
    const { pool, db, close } = joinDatabase(
      { ...config, databasePoolSize: 1 },
      product.address,
      commandLog(),
    )
    try {
      const means = {
        config,
        plans: openPlans(db),
        db,
        keys: product.keys,
        ledger: openLedger(pool),
      }
      await fillSandbox({ pool, owner: product.owner }, means, {
        days: DAYS,
        investors: INVESTORS,
        password,
      })
    } finally {
      await close()
    }
    const seconds = Math.round((performance.now() - begun) / 1_000)
    print(
      `The sandbox has ${DAYS} days of life, made in ${seconds} s. Next: npm start, and sign in.`,
    )
    for (const email of [config.superAdminEmail, superAdmin.email]) print(`  super admin  ${email}`)
    for (const { email } of admins) print(`  admin        ${email}`)
    print('  investors    any email of the list of users')
    print(`  password     ${password}`)
  }
}

await runCommand(plan, namesPlace(process.env) ? 'nothing' : 'pool')
