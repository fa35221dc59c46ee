import { refusal } from '@pool/contract/base/refusals'
import { sql } from 'kysely'
import type { Caller } from '../../base/sessions/actor.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'

type Settling = { readonly id: string; readonly reason: string; readonly by: Caller }

/**
 * Settles an alarm in words (docs/product.md 5.23). Throws `alarmNotFound`, `alarmSettled`,
 * `alarmNeedsTwo` without a batch, and `ownTransaction` to a payee. Moves no money.
 */
export const settleAlarm = ({ db, keys }: OnRecord, { id, reason, by }: Settling): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('payout_alarms')
      .select(['settled_at', 'kind', 'network_name', 'batch_id'])
      .select(sql<boolean>`pays_person(batch_id, ${by.id})`.as('own'))
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!found) throw refusal('alarmNotFound')
    const { settled_at, kind, network_name, batch_id } = found
    if (settled_at) throw refusal('alarmSettled')
    if (kind === 'UNEXPLAINED') throw refusal('alarmNeedsTwo')
    if (found.own) throw refusal('ownTransaction')
    await transaction
      .updateTable('payout_alarms')
      .set({ settled_at: sql<Date>`now()`, settled_by: by.id, reason })
      .where('id', '=', id)
      .execute()
    await record(transaction, keys, {
      by,
      action: 'alarm.settled',
      subject: { type: 'alarm', id },
      after: { kind, networkName: network_name, batchId: batch_id ?? undefined },
      reason,
    })
  })
