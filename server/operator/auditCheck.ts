import { checkAudit } from '../audit/check.ts'
import { sealAudit } from '../audit/seal.ts'
import { headFrom, print, runCommand, UsageError } from './command.ts'

const usage = `Usage:
  npm run audit:check
  npm run audit:check -- POSITION HASH     a logged head of the chain, which must still be in it`

await runCommand(() => {
  const words = process.argv.slice(2)
  const known = headFrom(words.join(' '))
  if (words.length > 0 && !known) throw new UsageError(usage)

  return async (product) => {
    // Seals entries that were recorded while the product was down.
    await sealAudit(product)
    const { entries, keyless, head, firstBreak } = await checkAudit(product, known)
    if (firstBreak) throw new Error(firstBreak.sentence)
    print(
      `The audit trail is whole: ${entries} entries, each signed and sealed, with one for every decision.`,
    )
    if (keyless > 0n)
      print(`The first ${keyless} are older than signed entries. Only their seals protect them.`)
    if (head) print(`Head of the chain: ${head.position} ${head.hash}`)
  }
})
