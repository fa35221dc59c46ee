import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { record } from '../../records/audit/record.ts'

/** Removes and records payout addresses whose wait is not over, of a user or of all. */
export const endWaitingAddresses = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  { by, userId }: { readonly by: Actor; readonly userId?: string },
): Promise<void> => {
  const ended = await transaction
    .deleteFrom('payout_addresses')
    .where('usable_from', '>', sql<Date>`now()`)
    .$if(userId !== undefined, (rows) => rows.where('user_id', '=', userId ?? ''))
    .returning(['user_id', 'address', 'network_name as networkName'])
    .execute()
  for (const { user_id: id, ...before } of ended)
    await record(transaction, keys, {
      by,
      action: 'payout.ended',
      subject: { type: 'user', id },
      ownerId: id,
      before,
    })
}
