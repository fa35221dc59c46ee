import type { CheckedDestination } from '@pool/contract/requests/requests'
import { sql } from 'kysely'
import { networksOf } from '../../base/chains/networks.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'

type AskedDestination = { readonly userId: string; readonly destination: string }

/**
 * The networks that a destination is valid on, and if it is a deposit address of the caller. Tells
 * nothing of other addresses: a withdrawal refuses those of the pool (docs/threats.md T116).
 */
export const checkDestination = async (
  { config, db }: WithDb & WithConfig,
  { userId, destination }: AskedDestination,
): Promise<CheckedDestination> => {
  const address = destination.trim()
  const networks = networksOf(address, config.poolMode)
  if (networks.length === 0) return { networks, isPoolWallet: false }
  const own = await db
    .selectFrom('wallets')
    .select('id')
    .where('owner_id', '=', userId)
    .where(sql<boolean>`lower(address) = lower(${address})`)
    .executeTakeFirst()
  return { networks, isPoolWallet: own !== undefined }
}
