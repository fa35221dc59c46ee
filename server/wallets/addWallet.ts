import { refusal } from '@pool/contract/refusals'
import type { Wallet } from '@pool/contract/wallets'
import { record } from '../audit/record.ts'
import { requireAddress } from '../chains/addresses.ts'
import type { Context } from '../context.ts'
import { violatedConstraint } from '../db/errors.ts'
import { newId } from '../db/ids.ts'
import type { Actor } from '../sessions/actor.ts'
import { walletOnTheWire } from './queries.ts'

/**
 * Adds an Available deposit wallet. Throws `walletExists` and what {@link requireAddress} throws.
 */
export const addWallet = async (
  { config, db, keys }: Pick<Context, 'config' | 'db' | 'keys'>,
  { address, networkName }: { address: string; networkName: string },
  by: Actor,
): Promise<Wallet> => {
  const network_name = requireAddress({
    address,
    networkName,
    mode: config.poolMode,
    field: 'address',
  })
  try {
    return await db.transaction().execute(async (transaction) => {
      const wallet = await transaction
        .insertInto('wallets')
        .values({ id: newId(), address, network_name })
        .returningAll()
        .executeTakeFirstOrThrow()
      const after = { address, networkName: network_name }
      await record(transaction, keys, {
        by,
        action: 'wallet.added',
        subject: { type: 'wallet', id: wallet.id },
        after,
      })
      return walletOnTheWire(wallet)
    })
  } catch (error) {
    throw violatedConstraint(error) === 'wallets_address_key' ? refusal('walletExists') : error
  }
}
