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

  return async (product) => {
    // What was put on record while the product did not run waits for nobody else.
    await sealAudit(product)
    const { entries, keyless, head, firstBreak } = await checkAudit(product, known)
    if (firstBreak) throw new Error(firstBreak.sentence)
    print(
      `The audit trail is whole: ${entries} entries, each signed and sealed, and every decision is among them.`,
    )
    if (keyless > 0n)
      print(
        `The first ${keyless} are from before entries were signed: only their seals speak for them.`,
      )
    if (head) print(`Head of the chain: ${head.position} ${head.hash}`)
  }
})
