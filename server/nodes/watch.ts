import { type NetworkName, networks } from '@pool/contract/networks'
import type { Kysely } from 'kysely'
import { chainOf } from '../chains/networks.ts'
import type { Schema } from '../db/schema.ts'

/** An address as a node calls it. Reading a script takes longer than remembering it. */
export type Receivers = Map<string, string>

/**
 * Adds our addresses of the network's family to `known`, own ones and of every wallet for ever: one
 * of Ethereum can be paid on Polygon, too.
 */
export const watchWallets = async (
  db: Kysely<Schema>,
  network: NetworkName,
  known: Receivers,
): Promise<void> => {
  const family = networks.find(({ name }) => name === network)?.family
  const names = networks.filter((each) => each.family === family).map(({ name }) => name)
  const addresses = new Set(known.values())
  const own = db.selectFrom('own_addresses').select('address').where('network_name', 'in', names)
  const rows = await db
    .selectFrom('wallets')
    .select('address')
    .where('network_name', 'in', names)
    .unionAll(own)
    .execute()
  const { receiver } = chainOf(network)
  for (const { address } of rows) if (!addresses.has(address)) known.set(receiver(address), address)
}
