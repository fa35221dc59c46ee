import { checkAudit } from '../audit/check.ts'
import { sealAudit } from '../audit/seal.ts'
import { print, runCommand, UsageError } from './command.ts'

const usage = `Usage:
  npm run audit:check
  npm run audit:check -- POSITION HASH     a head of the chain that was logged: it must still be in it`

await runCommand(() => {
  const [position, hash] = process.argv.slice(2)
  if (position !== undefined && !(/^\d{1,18}$/.test(position) && /^[0-9a-f]{64}$/.test(hash ?? ''))) throw new UsageError(usage)
  const known = position === undefined || hash === undefined ? undefined : { position: BigInt(position), hash }

  return async ({ db }) => {
    // What was put on record while the product did not run waits for nobody else.
    await sealAudit(db)
    const { entries, head, firstBreak } = await checkAudit(db, known)
    if (firstBreak) throw new Error(firstBreak.sentence)
    print(`The audit trail is whole: ${entries} entries, each sealed, and every decision is among them.`)
    if (head) print(`Head of the chain: ${head.position} ${head.hash}`)
  }
})
