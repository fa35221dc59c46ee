import { mkdir, open, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { poolStatementForms } from '@pool/contract/reports/poolStatements'
import { periodSchema } from '@pool/contract/reports/statements'
import { record } from '../../records/audit/record.ts'
import { periodOf } from '../../reports/statements/period.ts'
import { poolStatementName, writePoolStatement } from '../../reports/statements/pool.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { operator, runCommand } from './command.ts'
import { print } from './output.ts'

const usage = `Usage:
  npm run books -- PERIOD DIRECTORY --form FORM     writes the signed books of a month or a year into DIRECTORY

PERIOD is such as 2026-11 or 2026. FORM is ${poolStatementForms.join(', ')}.`

await runCommand(() => {
  const { words, options } = argumentsOf(usage, 'form')
  const [name = '', directory, ...rest] = words
  const form = poolStatementForms.find((each) => each === options.form)
  if (!form || directory === undefined || rest.length > 0) throw new UsageError(usage)
  if (!periodSchema.safeParse(name).success)
    throw new UsageError(`'${name}' is not a period such as 2026-11.\n${usage}`)

  return async ({ db, keys }) => {
    const asked = { period: periodOf(name, new Date()), form }
    const place = resolve(directory)
    await mkdir(place, { recursive: true, mode: 0o700 })
    const id = poolStatementName(asked)
    const subject = { type: 'statement', id } as const
    const path = join(place, `${id}.zip`)
    const file = await open(path, 'wx', 0o600)
    try {
      await record(db, keys, { by: operator(), action: 'statement.taken', subject })
      await writePoolStatement(
        { db, keys },
        asked,
      )(async (bytes) => {
        await file.appendFile(bytes)
      })
    } catch (error) {
      await rm(path)
      throw error
    } finally {
      await file.close()
    }
    print(`${path}: the books, and their signature beside them.`)
  }
})
