import type { CheckedDestination } from '@pool/contract/requests'
import { networksOf } from '../chains/networks.ts'
import type { Context } from '../context.ts'
import { isPoolWallet } from '../payoutAddresses/poolWallets.ts'

/** The networks that a destination is valid on, and if it belongs to the pool. */
export const checkDestination = async (
  { config, db }: Pick<Context, 'config' | 'db'>,
  destination: string,
): Promise<CheckedDestination> => {
  const networks = networksOf(destination.trim(), config.poolMode)
  return {
    networks,
    isPoolWallet: networks.length > 0 && (await isPoolWallet(db, destination.trim())),
  }
}
