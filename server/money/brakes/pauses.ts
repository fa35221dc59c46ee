import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import {
  BREAK_REASON,
  LOSS_REASON,
  type Pause,
  type PauseName,
  pausedByWindDown,
  WIND_DOWN_REASON,
} from '@pool/contract/money/pauses'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { type OnRecord, record, SYSTEM } from '../../records/audit/record.ts'

/** Lists the current pauses with their start and reason. */
export const listPauses = async (db: Kysely<Schema>): Promise<Pause[]> => {
  const rows = await db
    .selectFrom('pauses')
    .select(['name', 'paused_at', 'reason', 'by_loss'])
    .where('paused_at', 'is not', null)
    .orderBy('name')
    .execute()
  const sharing = rows.some(({ by_loss }) => by_loss) ? await readSharing(db) : undefined
  return rows.flatMap(({ name, paused_at, reason, by_loss }) =>
    paused_at && reason !== null
      ? [
          {
            name,
            since: timestampFromDate(paused_at),
            reason,
            ...(by_loss && sharing && { sharing }),
          },
        ]
      : [],
  )
}

/** The announced sharing of the open loss, if it was agreed. */
const readSharing = async (db: Kysely<Schema>): Promise<Pause['sharing']> => {
  const { rows } = await sql<{ amount: bigint; countsAt: Date }>`
    SELECT amount, counts_at AS "countsAt" FROM announced_sharing()`.execute(db)
  const [row] = rows
  return (
    row && {
      amount: dollarsFromCents(cents(row.amount)),
      countsAt: timestampFromDate(row.countsAt),
    }
  )
}

type Change = { readonly name: PauseName; readonly by: Actor }

/**
 * Pauses new deposits, withdrawals or investments, or changes the reason of a pause. Waits for open
 * groups, so no node accepts another once this resolves. Throws `windingDown` for a pause of that.
 */
export const pause = (
  { db, keys }: OnRecord,
  { name, by, reason }: Change & { readonly reason: string },
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const before = await stateOf(transaction, name)
    if (await isByWindDown(transaction, name)) throw refusal('windingDown')
    await transaction
      .updateTable('pauses')
      .set({ paused_at: sql<Date>`coalesce(paused_at, now())`, paused_by: by.name, reason })
      .where('name', '=', name)
      .execute()
    await record(transaction, keys, {
      by,
      action: 'switch.paused',
      ...onPause(name),
      before,
      after: { paused: true, reason },
      reason,
    })
  })

/**
 * Ends a pause. Does nothing when there is none. Throws `pausedByBreak`, `pausedByLoss` and
 * `windingDown`.
 */
export const resume = ({ db, keys }: OnRecord, { name, by }: Change): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const before = await stateOf(transaction, name)
    if (!before.paused) return
    if (await isByBreak(transaction, name)) throw refusal('pausedByBreak')
    if (await isByWindDown(transaction, name)) throw refusal('windingDown')
    if (await isByLoss(transaction, name)) throw refusal('pausedByLoss')
    await end(transaction, keys, { name, by, before })
  })

const end = async (
  transaction: Kysely<Schema>,
  keys: OnRecord['keys'],
  {
    name,
    by,
    before,
    reason,
  }: Change & { readonly before: Readonly<Record<string, unknown>>; readonly reason?: string },
): Promise<void> => {
  // An open loss holds it on.
  const isHeld = await isByLoss(transaction, name)
  const ended = isHeld
    ? { paused_by: SYSTEM.name, reason: LOSS_REASON, reconciliation_id: null }
    : { paused_at: null, paused_by: null, reason: null, reconciliation_id: null }
  await transaction.updateTable('pauses').set(ended).where('name', '=', name).execute()
  await record(transaction, keys, {
    by,
    action: 'switch.resumed',
    ...onPause(name),
    before,
    after: isHeld ? { paused: true, reason: LOSS_REASON } : { paused: false },
    ...(reason !== undefined && { reason }),
  })
}

/** True while the pause is one that a break of the reconciliation made. */
export const isByBreak = async (db: Kysely<Schema>, name: PauseName): Promise<boolean> => {
  const { reconciliation_id } = await db
    .selectFrom('pauses')
    .select('reconciliation_id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return reconciliation_id !== null
}

/** True while an open loss holds the pause. */
const isByLoss = async (db: Kysely<Schema>, name: PauseName): Promise<boolean> => {
  const { by_loss } = await db
    .selectFrom('pauses')
    .select('by_loss')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return by_loss
}

/** True while the pool winds down and holds the pause. */
const isByWindDown = async (db: Kysely<Schema>, name: PauseName): Promise<boolean> => {
  const { by_wind_down } = await db
    .selectFrom('pauses')
    .select('by_wind_down')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return by_wind_down
}

/** Pauses new money, as the pool winds down. An earlier reason gives way. */
export const pauseForWindDown = async (
  { db: transaction, keys }: OnRecord,
  by: Actor,
): Promise<void> => {
  for (const name of pausedByWindDown) {
    const before = await stateOf(transaction, name)
    await transaction
      .updateTable('pauses')
      .set({
        by_wind_down: true,
        paused_at: sql<Date>`coalesce(paused_at, now())`,
        paused_by: by.name,
        reason: WIND_DOWN_REASON,
      })
      .where('name', '=', name)
      .execute()
    await record(transaction, keys, {
      by,
      action: 'switch.paused',
      ...onPause(name),
      before,
      reason: WIND_DOWN_REASON,
      after: { paused: true, reason: WIND_DOWN_REASON },
    })
  }
}

/** Ends the pauses of a wind-down that was called off. An open loss holds its own on. */
export const resumeAfterWindDown = async (
  { db: transaction, keys }: OnRecord,
  { by, reason }: { readonly by: Actor; readonly reason: string },
): Promise<void> => {
  for (const name of pausedByWindDown) {
    const before = await stateOf(transaction, name)
    const released = transaction.updateTable('pauses').set({ by_wind_down: false })
    await released.where('name', '=', name).execute()
    await end(transaction, keys, { name, by, before, reason })
  }
}

type ByBreak = { readonly reconciliationId: string; readonly by: Actor }

/**
 * Pauses withdrawals for a break of the reconciliation, which then two people end. A pause by a
 * person becomes such a one. False if there was one already.
 */
export const pauseByBreak = async (
  { db: transaction, keys }: OnRecord,
  { reconciliationId, by }: ByBreak,
): Promise<boolean> => {
  const name = 'withdrawals'
  const before = await stateOf(transaction, name)
  if (await isByBreak(transaction, name)) return false
  const why = { paused_by: by.name, reason: BREAK_REASON, reconciliation_id: reconciliationId }
  await transaction
    .updateTable('pauses')
    .set({ paused_at: sql<Date>`coalesce(paused_at, now())`, ...why })
    .where('name', '=', name)
    .execute()
  await record(transaction, keys, {
    by,
    action: 'switch.paused',
    ...onPause(name),
    before,
    after: { paused: true, reason: BREAK_REASON },
    reason: BREAK_REASON,
  })
  return true
}

/** Ends a pause by a break, which two people agreed on. Throws `breakChanged` without one. */
export const endBreakPause = async (
  { db: transaction, keys }: OnRecord,
  { by, reason }: { readonly by: Actor; readonly reason: string },
): Promise<void> => {
  const name = 'withdrawals'
  const before = await stateOf(transaction, name)
  if (!(await isByBreak(transaction, name))) throw refusal('breakChanged')
  await end(transaction, keys, { name, by, before, reason })
}

const onPause = (name: PauseName) => ({ subject: { type: 'switch' as const, id: name } })

/** State for the audit trail. Locks the row, so that simultaneous changes are recorded in order. */
const stateOf = async (db: Kysely<Schema>, name: PauseName) => {
  const { reason } = await db
    .selectFrom('pauses')
    .select('reason')
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return reason === null ? { paused: false } : { paused: true, reason }
}
