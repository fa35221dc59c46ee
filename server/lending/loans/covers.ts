/** Open losses of investors' principal, and their ends (docs/product.md 5.32). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { type Cents, cents, centsFromDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { LOSS_REASON, pausedByLosses } from '@pool/contract/money/pauses'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import type { WithKeys } from '../../http/context.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import type { Operation } from '../../ledger/families/movements.ts'
import { type EntryRow, signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'

type AskedCover = PayloadOf<'COVER_LOSS'>

/** Cents of losses that nothing bears yet. */
export const openLoss = async (db: Kysely<Schema>): Promise<Cents> => {
  const { rows } = await sql<{ open: bigint }>`SELECT open_loss() AS open`.execute(db)
  return cents(rows[0]?.open ?? 0n)
}

/** Throws `lossChanged` unless exactly that is open, by its name and sum. Returns the cents. */
export const requireOpen = async (
  db: Kysely<Schema>,
  { lossId, amount }: AskedCover,
): Promise<Cents> => {
  const open = await openLoss(db)
  const { rows } = await sql<{ isOpen: boolean }>`
    SELECT ${lossId}::uuid IN (SELECT id FROM open_losses()) AS "isOpen"`.execute(db)
  if (rows[0]?.isOpen !== true || open !== centsFromDollars(amount)) throw refusal('lossChanged')
  return open
}

/** Throws `lossChanged` unless exactly that is open, and `reserveShort` if capital is missing. */
export const requireCover = async (db: Kysely<Schema>, asked: AskedCover): Promise<void> => {
  const open = await requireOpen(db, asked)
  if ((await poolBalance(db, 'reserve')) < open) throw refusal('reserveShort')
}

/** The entries of the pauses that a loss begins, or ends. */
export const entriesOf = (
  keys: Keys,
  action: 'switch.paused' | 'switch.resumed',
): readonly EntryRow[] =>
  pausedByLosses.map((name) =>
    signEntry(keys, {
      by: SYSTEM,
      action,
      subject: { type: 'switch', id: name },
      after: { byLoss: action === 'switch.paused' },
      reason: LOSS_REASON,
    }),
  )

/** The entries of the pauses of a loss, for its write-off. */
export const pausingOf = (keys: Keys): readonly EntryRow[] => entriesOf(keys, 'switch.paused')

/** The operation by which the operator's capital bears the open loss. Its pauses end with it. */
export const coverOf = (
  { keys }: WithKeys,
  id: string,
  { lossId, amount }: AskedCover,
): Operation => ({
  movement: 'loss_covered',
  id,
  lossId,
  amount: centsFromDollars(amount),
  resuming: entriesOf(keys, 'switch.resumed'),
  entry: signEntry(keys, {
    by: SYSTEM,
    action: 'loss.covered',
    subject: { type: 'loss', id },
    after: { amount },
  }),
})
