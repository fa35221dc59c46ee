import { comparedFindings } from '../../coins/reconciliation/compared.ts'
import { checkPublished } from '../../lending/pool/check.ts'
import { checkAudit } from '../../records/audit/check.ts'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { sealAudit } from '../../records/audit/seal.ts'
import { verifiedMode } from '../../records/mode/mode.ts'
import { argumentsOf, headFrom, UsageError } from './arguments.ts'
import { runCommand } from './command.ts'
import { print } from './output.ts'

const usage = `Usage:
  npm run audit:check
  npm run audit:check -- POSITION HASH     a logged head of the chain, which must still be in it`

await runCommand(() => {
  const { words } = argumentsOf(usage)
  const known = headFrom(words.join(' '))
  if (words.length > 0 && !known) throw new UsageError(usage)

  return async (product) => {
    // Seals entries that were recorded while the product was down.
    await sealAudit(product)
    const { entries, head, firstBreak } = await checkAudit(product, ...(known ? [known] : []))
    if (firstBreak) throw new Error(firstBreak.sentence)
    const { findings, older } = await checkRowsAgainstTrail(product.db)
    const others = [...(await comparedFindings(product.db, 50)), ...(await checkPublished(product))]
    const all = [...findings, ...others]
    if (all.length > 0) throw new Error(all.join('\n'))
    print(
      `The audit trail is whole: ${entries} entries, each signed and sealed, with one for every decision.`,
    )
    print('Files of loans, comparisons and public figures are those of the product.')
    print('Roles, passwords, second factors, limits and addresses are those of the entries.')
    if (older > 0n) print(`${older} passwords are older than entries that tell them apart.`)
    const mode = await verifiedMode(product.db, product.keys)
    if (mode) print(`The mode of the pool is ${mode}, and signed.`)
    if (head) print(`Head of the chain: ${head.position} ${head.hash}`)
  }
})
