import { refusal } from '@pool/contract/refusals'
import { sql } from 'kysely'
import { type OnRecord, record } from '../audit/record.ts'
import type { Caller } from '../sessions/actor.ts'

type Settling = { readonly id: string; readonly reason: string; readonly by: Caller }

/**
 * Settles an alarm with the words of a member of staff, and with it coins that no batch explains.
 * Moves no money. Throws `alarmNotFound` and `alarmSettled`.
 */
export const settleAlarm = ({ db, keys }: OnRecord, { id, reason, by }: Settling): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('payout_alarms')
      .select(['settled_at', 'kind', 'network_name', 'batch_id', 'spending_id'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!found) throw refusal('alarmNotFound')
    const { settled_at, kind, network_name, batch_id, spending_id } = found
    if (settled_at) throw refusal('alarmSettled')
    const settled = { settled_at: sql<Date>`now()`, settled_by: by.id, reason }
    await transaction.updateTable('payout_alarms').set(settled).where('id', '=', id).execute()
    if (kind === 'UNEXPLAINED' && spending_id !== null)
      await transaction
        .updateTable('spendings')
        .set(settled)
        .where('id', '=', spending_id)
        .execute()
    await record(transaction, keys, {
      by,
      action: 'alarm.settled',
      subject: { type: 'alarm', id },
      after: { kind, networkName: network_name, batchId: batch_id ?? undefined },
      reason,
    })
  })
