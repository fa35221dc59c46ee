import { refusal } from '@pool/contract/base/refusals'
import { sql } from 'kysely'
import type { Caller } from '../../base/sessions/actor.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'

type Settling = { readonly id: string; readonly reason: string; readonly by: Caller }

/**
 * Settles an arrival with the words of a member of staff. Moves no money. Throws `unseenNotFound`
 * and `unseenSettled`.
 */
export const settleUnseen = ({ db, keys }: OnRecord, { id, reason, by }: Settling): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('unseen_arrivals')
      .select(['settled_at', 'address', 'network_name'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!found) throw refusal('unseenNotFound')
    if (found.settled_at) throw refusal('unseenSettled')
    await transaction
      .updateTable('unseen_arrivals')
      .set({ settled_at: sql<Date>`now()`, settled_by: by.id, reason })
      .where('id', '=', id)
      .execute()
    await record(transaction, keys, {
      by,
      action: 'arrival.settled',
      subject: { type: 'arrival', id },
      after: { networkName: found.network_name, address: found.address },
      reason,
    })
  })
