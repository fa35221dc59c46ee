import { refusal } from '@pool/contract/refusals'
import { networks, type Wallet } from '@pool/contract/wallets'
import type { Kysely } from 'kysely'
import { v7 as newId } from 'uuid'
import { violatedConstraint } from '../db/errors.ts'
import type { Schema } from '../db/schema.ts'
import { walletOnTheWire } from './queries.ts'

/** Adds an Available deposit wallet. Throws `unknownNetwork` and `walletExists`. */
export const addWallet = async (
  db: Kysely<Schema>,
  { address, networkName }: { address: string; networkName: string },
): Promise<Wallet> => {
  const network = networks.find(({ name }) => name.toLowerCase() === networkName.toLowerCase())
  if (!network) throw refusal('unknownNetwork')
  try {
    const wallet = await db
      .insertInto('wallets')
      .values({ id: newId(), address, network_name: network.name })
      .returningAll()
      .executeTakeFirstOrThrow()
    return walletOnTheWire(wallet)
  } catch (error) {
    throw violatedConstraint(error) === 'wallets_address_key' ? refusal('walletExists') : error
  }
}
