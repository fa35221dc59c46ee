import { type NetworkName, networks } from '@pool/contract/base/networks'
import { type Kysely, sql } from 'kysely'
import { chainOf } from '../../base/chains/networks.ts'
import type { Schema } from '../../base/db/schema.ts'
import { inPieces } from '../../base/process/pieces.ts'

/** An address as a node calls it. Reading a script takes longer than remembering it. */
export type Receivers = Map<string, string>

/** The digest of the addresses that were added to each, since reading many takes long. */
const added = new WeakMap<Receivers, string>()

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
  const ours = sql`(SELECT address FROM wallets WHERE network_name = ANY (${names})
    UNION ALL SELECT address FROM own_addresses WHERE network_name = ANY (${names})) AS ours`
  // The digest is read first: an address that comes meanwhile changes the next one.
  const { rows } = await sql<{ digest: string }>`
    SELECT count(*) || ' ' || coalesce(sum(hashtext(address)), 0) AS digest FROM ${ours}`.execute(
    db,
  )
  const digest = rows[0]?.digest ?? ''
  if (added.get(known) === digest) return
  const addresses = new Set(known.values())
  const { rows: all } = await sql<{ address: string }>`SELECT address FROM ${ours}`.execute(db)
  const { receiver } = chainOf(network)
  const fresh = all.filter(({ address }) => !addresses.has(address))
  await inPieces(fresh, ({ address }) => known.set(receiver(address), address))
  added.set(known, digest)
}
