import { refusal } from '@pool/contract/base/refusals'
import { sql } from 'kysely'
import type { Caller } from '../../base/sessions/actor.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { requirePayable } from './candidates.ts'

type Approval = { readonly id: string; readonly digest: string; readonly by: Caller }

/**
 * WAITING → READY, by a second person, for this digest. Throws `batchNotFound`, `batchClosed`,
 * `ownBatch`, `samePerson`, `ownTransaction`, `batchDiffers`, and as {@link requirePayable}.
 */
export const approveBatch = ({ db, keys }: OnRecord, { id, digest, by }: Approval): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const batch = await transaction
      .selectFrom('batches')
      .select([
        'state',
        'made_by',
        'digest',
        'network_name',
        sql<boolean>`is_same_person(made_by, ${by.id})`.as('same'),
        sql<boolean>`pays_person(id, ${by.id})`.as('own'),
      ])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!batch) throw refusal('batchNotFound')
    if (batch.state !== 'WAITING') throw refusal('batchClosed', { state: batch.state })
    if (batch.made_by === by.id) throw refusal('ownBatch')
    if (batch.same) throw refusal('samePerson')
    if (batch.own) throw refusal('ownTransaction')
    if (batch.digest !== digest) throw refusal('batchDiffers')
    await requirePayable(transaction, id)
    await transaction
      .updateTable('batches')
      .set({ state: 'READY', approved_by: by.id, approved_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    await record(transaction, keys, {
      by,
      action: 'batch.approved',
      subject: { type: 'batch', id },
      before: { state: 'WAITING' },
      after: { state: 'READY', networkName: batch.network_name, digest },
    })
  })
