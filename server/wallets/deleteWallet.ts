import { refusal } from '@pool/contract/refusals'
import { type OnRecord, record } from '../audit/record.ts'
import type { Actor } from '../sessions/actor.ts'

/**
 * Deletes a wallet that was never shown (docs/threats.md T18). Throws `walletNotFound` and
 * `walletAssigned`.
 */
export const deleteWallet = ({ db, keys }: OnRecord, id: string, by: Actor): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const deleted = await transaction
      .deleteFrom('wallets')
      .where('id', '=', id)
      .where('owner_id', 'is', null)
      .returning(['address', 'network_name'])
      .executeTakeFirst()
    if (deleted) {
      const before = { address: deleted.address, networkName: deleted.network_name }
      return record(transaction, keys, {
        by,
        action: 'wallet.deleted',
        subject: { type: 'wallet', id },
        before,
      })
    }
    const kept = await transaction
      .selectFrom('wallets')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst()
    throw refusal(kept ? 'walletAssigned' : 'walletNotFound')
  })
