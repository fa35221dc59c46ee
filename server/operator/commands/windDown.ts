import { writeFileSync } from 'node:fs'
import { joinDatabase } from '../../base/db/connection.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { openPlans } from '../../ledger/families/knownPlans.ts'
import { rehearse, requireRehearsable } from '../rehearsal/rehearse.ts'
import { markdownOf, readReport } from '../rehearsal/report.ts'
import { isCopy, readRehearsal } from '../rehearsal/state.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { runCommand, type Work } from './command.ts'
import { commandLog, print } from './output.ts'

const usage = `Usage:
  npm run wind-down -- rehearse                  winds a sandbox, or a copy of a pool, down to zero
  npm run wind-down -- rehearse --default 20     loans with 20 % of the outstanding principal pay nothing
  npm run wind-down -- rehearse --report FILE    writes the report as Markdown, too
  npm run wind-down -- rehearse --json FILE      and as JSON
It moves the clock of the database ahead, so the sandbox is spent. One that was stopped goes on.
A copy of a live pool is made by: npm run restore -- BACKUP --for rehearsal`

const percentFrom = (text = '0'): number => {
  if (/^\d{1,2}$|^100$/.test(text)) return Number(text)
  throw new UsageError(`'${text}' is not a percentage.\n${usage}`)
}

const plan = (): Work => {
  const { words, options } = argumentsOf(usage, 'default', 'report', 'json')
  const percent = percentFrom(options.default)
  if (words.length !== 1 || words[0] !== 'rehearse') throw new UsageError(usage)
  return async (product, config) => {
    await requireRehearsable(product, { config, isCopy: await isCopy(product.owner) })
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
      const stoppedBy = await rehearse({ pool, owner: product.owner }, means, percent)
      const done = await readRehearsal(product.owner)
      if (!done) throw new Error('The rehearsal left no row.')
      const report = await readReport(means, done, stoppedBy)
      if (options.report !== undefined) writeFileSync(options.report, markdownOf(report))
      if (options.json !== undefined)
        writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`)
      print(markdownOf(report))
      if (report.fault) throw new Error(report.fault)
      if (stoppedBy) throw new Error(stoppedBy)
    } finally {
      await close()
    }
  }
}

await runCommand(plan)
