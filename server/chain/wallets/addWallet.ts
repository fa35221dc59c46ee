import { refusal } from '@pool/contract/base/refusals'
import type { Wallet } from '@pool/contract/chain/wallets'
import { requireAddress } from '../../base/chains/networks.ts'
import { violatedConstraint } from '../../base/db/errors.ts'
import { newId } from '../../base/db/ids.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import type { WithConfig } from '../../http/context.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { readWallet, walletOnTheWire } from './queries.ts'
import type { Waits } from './waits.ts'

/**
 * Adds a deposit wallet. A new address is Available, or waits for a second person with `waits`.
 * Throws `walletExists`, `ownerHasWallet`, and what {@link requireAddress} throws.
 */
export const addWallet = async (
  { config, db, keys }: OnRecord & WithConfig,
  { address, networkName }: { address: string; networkName: string },
  by: Actor,
  waits?: Waits,
): Promise<Wallet> => {
  const network = requireAddress({
    address,
    networkName,
    mode: config.poolMode,
    field: 'address',
  })
  try {
    return await db.transaction().execute(async (transaction) => {
      const id = newId()
      await transaction
        .insertInto('wallets')
        .values({ id, address, network_name: network, proposal_id: waits?.proposalId ?? null })
        .execute()
      // The trigger unite_owners may have given it to an investor.
      const wallet = await readWallet(transaction, id)
      await record(transaction, keys, {
        by,
        action: 'wallet.added',
        subject: { type: 'wallet', id },
        ownerId: wallet.owner_id ?? undefined,
        after: { address, networkName: network },
      })
      if (wallet.proposal_id !== null)
        await waits?.ask(transaction, { network, addresses: [address] })
      return walletOnTheWire(wallet)
    })
  } catch (error) {
    const violated = violatedConstraint(error)
    if (violated === 'wallets_address_key') throw refusal('walletExists')
    if (violated === 'wallets_one_per_owner_and_network')
      throw refusal('ownerHasWallet', { network })
    throw error
  }
}
