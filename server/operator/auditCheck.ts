import { checkAudit } from '../audit/check.ts'
import { sealAudit } from '../audit/seal.ts'
import { headFrom, print, runCommand, UsageError } from './command.ts'

const usage = `Usage:
  npm run audit:check
  npm run audit:check -- POSITION HASH     a head of the chain that was logged: it must still be in it`

await runCommand(() => {
  const words = process.argv.slice(2)
  const known = headFrom(words.join(' '))
  if (words.length > 0 && !known) throw new UsageError(usage)

  return async ({ db }) => {
    // What was put on record while the product did not run waits for nobody else.
    await sealAudit(db)
    const { entries, head, firstBreak } = await checkAudit(db, known)
    if (firstBreak) throw new Error(firstBreak.sentence)
    print(`The audit trail is whole: ${entries} entries, each sealed, and every decision is among them.`)
    if (head) print(`Head of the chain: ${head.position} ${head.hash}`)
  }
})
