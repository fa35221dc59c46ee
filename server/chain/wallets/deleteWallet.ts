import { refusal } from '@pool/contract/base/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { record } from '../../records/audit/record.ts'

type Deletion = { readonly id: string; readonly by: Actor }

/**
 * Deletes a wallet that was never shown (docs/threats.md T18). Throws `walletNotFound`,
 * `walletAssigned` and `walletWaits`.
 */
export const removeWallet = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  { id, by }: Deletion,
): Promise<void> => {
  await requireDeletable(transaction, id)
  const deleted = await transaction
    .deleteFrom('wallets')
    .where('id', '=', id)
    .where('owner_id', 'is', null)
    .where('proposal_id', 'is', null)
    .returning(['address', 'network_name', 'key_id', 'derivation_index'])
    .executeTakeFirst()
  // An investor got it meanwhile.
  if (!deleted) throw refusal('walletAssigned')
  await record(transaction, keys, {
    by,
    action: 'wallet.deleted',
    subject: { type: 'wallet', id },
    before: {
      address: deleted.address,
      networkName: deleted.network_name,
      ...(deleted.key_id !== null && { keyId: deleted.key_id, number: deleted.derivation_index }),
    },
  })
}

/** A wallet that can be deleted. Throws `walletNotFound`, `walletAssigned` and `walletWaits`. */
export const requireDeletable = async (db: Kysely<Schema>, id: string) => {
  const wallet = await db
    .selectFrom('wallets')
    .select(['address', 'network_name', 'owner_id', 'proposal_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!wallet) throw refusal('walletNotFound')
  if (wallet.owner_id !== null) throw refusal('walletAssigned')
  if (wallet.proposal_id !== null) throw refusal('walletWaits')
  return { address: wallet.address, networkName: wallet.network_name }
}
