import type { Pause, PauseName } from '@pool/contract/pauses'
import { timestampFromDate } from '@pool/contract/timestamp'
import { type Kysely, sql } from 'kysely'
import { type OnRecord, record } from '../audit/record.ts'
import type { Schema } from '../db/schema.ts'
import type { Actor } from '../sessions/actor.ts'

/** Lists the current pauses with their start and reason. */
export const listPauses = async (db: Kysely<Schema>): Promise<Pause[]> => {
  const rows = await db
    .selectFrom('pauses')
    .select(['name', 'paused_at', 'reason'])
    .where('paused_at', 'is not', null)
    .orderBy('name')
    .execute()
  return rows.flatMap(({ name, paused_at, reason }) =>
    paused_at && reason !== null ? [{ name, since: timestampFromDate(paused_at), reason }] : [],
  )
}

type Change = { readonly name: PauseName; readonly by: Actor }

/**
 * Pauses new deposits, withdrawals or investments, or changes the reason of a pause. Waits for open
 * groups, so no node accepts another once this resolves.
 */
export const pause = (
  { db, keys }: OnRecord,
  { name, by, reason }: Change & { readonly reason: string },
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const before = await stateOf(transaction, name)
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

/** Ends a pause. Does nothing when there is none. */
export const resume = ({ db, keys }: OnRecord, { name, by }: Change): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const before = await stateOf(transaction, name)
    if (!before.paused) return
    await transaction
      .updateTable('pauses')
      .set({ paused_at: null, paused_by: null, reason: null })
      .where('name', '=', name)
      .execute()
    await record(transaction, keys, {
      by,
      action: 'switch.resumed',
      ...onPause(name),
      before,
      after: { paused: false },
    })
  })

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
