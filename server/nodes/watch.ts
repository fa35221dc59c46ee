import { type NetworkName, networks } from '@pool/contract/networks'
import { type Kysely, sql } from 'kysely'
import { chainOf } from '../chains/networks.ts'
import type { Schema } from '../db/schema.ts'

/** An address as a node calls it. Reading a script takes longer than remembering it. */
export type Receivers = Map<string, string>

/** The digest of the wallets that were added to each, since reading many takes long. */
const added = new WeakMap<Receivers, string>()

/**
 * Adds the addresses of every wallet of the network's family to `known`: one of Ethereum can be
 * paid on Polygon, too. An address is watched for ever, also of an archived wallet.
 */
export const watchWallets = async (
  db: Kysely<Schema>,
  network: NetworkName,
  known: Receivers,
): Promise<void> => {
  const family = networks.find(({ name }) => name === network)?.family
  const names = networks.filter((each) => each.family === family).map(({ name }) => name)
  // The digest is read first: a wallet that comes meanwhile changes the next one.
  const { rows } = await sql<{ digest: string }>`
    SELECT count(*) || ' ' || coalesce(sum(hashtext(address)), 0) AS digest
    FROM wallets WHERE network_name = ANY (${names})`.execute(db)
  const digest = rows[0]?.digest ?? ''
  if (added.get(known) === digest) return
  const addresses = new Set(known.values())
  const wallets = await db
    .selectFrom('wallets')
    .select('address')
    .where('network_name', 'in', names)
    .execute()
  const { receiver } = chainOf(network)
  for (const { address } of wallets)
    if (!addresses.has(address)) known.set(receiver(address), address)
  added.set(known, digest)
}
