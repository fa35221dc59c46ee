/** The end of a leaked key (docs/decisions/042). Each step can be done again after a crash. */
import type { Config } from '../../base/configuration/config.ts'
import { findKeys, keyFileOf, keysBefore, markLeaked, rotateKeys } from '../../base/keys/keyFile.ts'
import type { Mark } from '../../base/keys/keys.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { signMonthsAgain } from '../../ledger/archive/closings.ts'
import { checkAudit, countLater } from '../../records/audit/check.ts'
import { record } from '../../records/audit/record.ts'
import { type Head, sealAudit } from '../../records/audit/seal.ts'
import { signModeAgain } from '../../records/mode/mode.ts'
import { type Opened, operator } from './command.ts'
import { print } from './output.ts'

export type Leak = {
  readonly id: string
  /** The last head of the audit chain that is believed. By default the present one. */
  readonly head: Head | undefined
}

/**
 * Makes a leaked key worthless after a head of the audit chain, and signs again what must go on
 * being believed. Throws for an unknown key, and for an audit trail that does not hold.
 */
export const endLeakedKey = async (
  product: Opened,
  config: Config,
  { id, head }: Leak,
): Promise<void> => {
  const earlier = findKeys(config).leaked.get(id)
  keysBefore(config, id)
  // A new key first, so that a crash leaves keys that sign.
  if (findKeys(config).ids[0] === id) rotateKeys(config)
  const before = keysBefore(config, id)
  const { db, keys } = product
  const mark = await provenHead({ ...product, keys: before }, head, earlier)
  await signModeAgain(product, { before, mark })
  const months = await signMonthsAgain(product, { before, keys, keyId: id })
  const ended = await recordLeak(product, id, mark)
  markLeaked(config, id, mark)
  print(
    `The key ${id} is marked as leaked in ${keyFileOf(config)}. It is believed up to ${mark.position} ${mark.hash}.`,
  )
  print(
    `Signed anew: the mode of the pool, and ${months.length} archived months. Sessions ended: ${ended}.`,
  )
  const later = await countLater(db, id, mark)
  if (later > 0n)
    print(
      `${later} audit entries after that head are signed or sealed with it. Look at them: npm run audit:check names the first until you state a later head.`,
    )
  const { apps } = await db
    .selectFrom('factors')
    .select(({ fn }) => fn.countAll<bigint>().as('apps'))
    .where('key_id', '=', id)
    .executeTakeFirstOrThrow()
  if (apps > 0n)
    print(
      `${apps} authenticator apps derive from it. Their users are asked for a new factor at the next sign-in.`,
    )
  print(
    'Copy the key file to each node and to your copy apart, start the product, and take a new backup. Older backups are refused.',
  )
}

/** The head up to which the key is believed. Throws unless the whole chain holds and has it. */
const provenHead = async (
  product: Pick<Opened, 'db' | 'keys'>,
  stated: Head | undefined,
  earlier: Mark | undefined,
): Promise<Mark> => {
  // Seals entries that were recorded while the product was stopped.
  await sealAudit(product)
  const known = [stated, earlier].filter((head) => head !== undefined)
  const { head, firstBreak } = await checkAudit(product, ...known)
  if (firstBreak) throw new Error(`${firstBreak.sentence} No key was marked.`)
  const mark = stated ?? earlier ?? head
  if (!mark) throw new Error('The audit trail has no entry. Start the product once first.')
  return mark
}

/** Records the leak and ends every session, whose signature may be forged. Returns their number. */
const recordLeak = ({ db, keys }: Opened, id: string, mark: Mark): Promise<bigint> =>
  endingSessions(db, async (transaction) => {
    const { numDeletedRows } = await transaction.deleteFrom('sessions').executeTakeFirstOrThrow()
    await record(transaction, keys, {
      by: operator(),
      action: 'key.leaked',
      subject: { type: 'key', id },
      after: { position: Number(mark.position), hash: mark.hash },
    })
    return numDeletedRows
  })
