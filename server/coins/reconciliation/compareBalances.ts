/** Compares balances on a chain with the payments that were seen (docs/product.md 4.12). */
import { networks } from '@pool/contract/base/networks'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { type Kysely, sql } from 'kysely'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import { takeLock } from '../../base/locks.ts'
import type { Balance, BlockName, Node } from '../../chain/nodes/node.ts'
import { isFine } from '../../chain/nodes/stopped.ts'
import { type OnRecord, record, SYSTEM } from '../../records/audit/record.ts'

type Db = Kysely<Schema>

/** Addresses that are compared in one transaction. */
const AT_ONCE = 50

type Compared = {
  readonly settings: ChainSettings
  readonly node: Node
  readonly stopping?: AbortSignal | undefined
}

/**
 * Compares each address that an investor was ever given, at the newest final block that was read.
 * Returns the number of findings, undefined if it did not end. Throws a `NodeFault`.
 */
export const compareBalances = async (
  context: OnRecord,
  { settings, node, stopping }: Compared,
): Promise<number | undefined> => {
  const { db } = context
  const { network } = settings
  const block = await comparableBlock(db, network)
  if (!block || !node.balances) return undefined
  await node.check()
  // A node of another fork, or one that lags, shows other balances.
  if ((await node.hashAt(block.height)) !== block.hash) return undefined
  let found = 0
  let addresses = await nextAddresses(db, network, '')
  while (addresses.length > 0) {
    const balances = await node.balances(block.height, addresses)
    if (stopping?.aborted) return undefined
    found += await compare(context, { network, height: block.height, balances })
    addresses = await nextAddresses(db, network, addresses.at(-1)?.toLowerCase() ?? '')
  }
  await sql`UPDATE chains SET balances_at = now() WHERE network_name = ${network}`.execute(db)
  return found
}

/** The highest block that was read and is final. Undefined unless the network's node is fine. */
const comparableBlock = async (db: Db, network: string): Promise<BlockName | undefined> => {
  const { rows } = await sql<BlockName>`
    SELECT b.height::int, b.hash FROM chains AS c JOIN chain_blocks AS b USING (network_name)
    WHERE c.network_name = ${network} AND ${isFine} AND b.height <= c.final_height
    ORDER BY b.height DESC LIMIT 1`.execute(db)
  return rows[0]
}

/** Addresses of the network's family that have an owner, above one in lower case. */
const nextAddresses = async (db: Db, network: string, above: string): Promise<string[]> => {
  const family = networks.find(({ name }) => name === network)?.family
  const names = networks.filter((each) => each.family === family).map(({ name }) => name)
  const { rows } = await sql<{ address: string }>`
    SELECT DISTINCT ON (lower(address)) address FROM wallets
    WHERE network_name = ANY (${names}) AND owner_id IS NOT NULL AND lower(address) > ${above}
    ORDER BY lower(address) LIMIT ${AT_ONCE}`.execute(db)
  return rows.map(({ address }) => address)
}

type Batch = {
  readonly network: string
  readonly height: number
  readonly balances: readonly Balance[]
}

type Grown = {
  readonly address: string
  readonly asset: string
  readonly units: string
  readonly decimals: number
  readonly above: number
  readonly ownerId: string | null
}

/** Writes balances, and a finding for each growth beyond the payments since. All or nothing. */
const compare = ({ db, keys }: OnRecord, { network, height, balances }: Batch): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const read = JSON.stringify(
      balances.map(({ units, ...rest }) => ({ ...rest, units: String(units) })),
    )
    const rowsRead = sql`jsonb_to_recordset(${read}::jsonb)
      AS r (address text, asset text, units numeric, decimals integer)`
    const lowered = balances.map(({ address }) => address.toLowerCase())
    // Another node of the product may compare, too. The later one sees the new rows.
    await takeLock(transaction, 'balances', network)
    await sql`
      SELECT FROM balance_checks AS b JOIN ${rowsRead} ON b.address = lower(r.address) AND b.asset = r.asset
      WHERE b.network_name = ${network} ORDER BY b.address, b.asset FOR UPDATE OF b`.execute(
      transaction,
    )
    const { rows } = await sql<Grown>`
      WITH begun AS (
        SELECT r.*, coalesce(b.units, 0) AS before, coalesce(b.height, 0) AS above
        FROM ${rowsRead} JOIN chains AS c ON c.network_name = ${network}
          LEFT JOIN balance_checks AS b ON b.network_name = ${network} AND b.address = lower(r.address) AND b.asset = r.asset
        -- An address that is older than the first look may have coins that are not read.
        -- Once blocks were skipped, a first balance would hide what came in them.
        WHERE b.units IS NOT NULL OR NOT EXISTS (
          SELECT FROM wallets AS w WHERE lower(w.address) = lower(r.address) AND w.created_at < c.followed_since)
          OR EXISTS (SELECT FROM block_skips AS s WHERE s.network_name = c.network_name AND s.skipped_at IS NOT NULL)
      ), ours AS (
        SELECT address FROM wallets WHERE lower(address) = ANY (${lowered})
      ), paid AS (
        SELECT lower(p.address) AS address, p.asset, p.units, p.height FROM payments AS p
        WHERE p.network_name = ${network} AND p.address = ANY (ARRAY(SELECT address FROM ours))
        UNION ALL
        SELECT lower(c.address), c.asset, -c.units, s.height FROM spendings AS s JOIN spent_coins AS c ON c.spending_id = s.id
        WHERE s.network_name = ${network} AND s.height > (SELECT min(above) FROM begun)
          AND c.address = ANY (ARRAY(SELECT address FROM ours))
        UNION ALL
        -- The sender pays the fee.
        SELECT split_part(s.inputs[1], ':', 1), s.fee_asset, -s.fee_units, s.height FROM spendings AS s
        WHERE s.network_name = ${network} AND s.height > (SELECT min(above) FROM begun)
          AND split_part(s.inputs[1], ':', 1) = ANY (${lowered})
      )
      SELECT r.address, r.asset, (r.units - r.before - seen.units)::text AS units, r.decimals, r.above::int,
        (SELECT owner_id FROM wallets AS w WHERE lower(w.address) = lower(r.address) AND owner_id IS NOT NULL LIMIT 1) AS "ownerId"
      FROM begun AS r CROSS JOIN LATERAL (
        SELECT coalesce(sum(p.units), 0) AS units FROM paid AS p
        WHERE p.height > r.above AND p.height <= ${height} AND p.address = lower(r.address) AND p.asset = r.asset) AS seen
      WHERE r.above < ${height} AND r.units - r.before > seen.units
      ORDER BY r.address, r.asset`.execute(transaction)
    for (const grown of rows) await write({ db: transaction, keys }, network, { ...grown, height })
    await sql`
      INSERT INTO balance_checks AS b (network_name, address, asset, units, height)
      SELECT ${network}, lower(r.address), r.asset, r.units, ${height} FROM ${rowsRead} ORDER BY 2, 3
      ON CONFLICT (network_name, address, asset) DO UPDATE SET units = EXCLUDED.units, height = EXCLUDED.height
      WHERE b.height < EXCLUDED.height`.execute(transaction)
    return rows.length
  })

const write = async (
  { db, keys }: OnRecord,
  network: string,
  { ownerId, units, decimals, ...found }: Grown & { readonly height: number },
): Promise<void> => {
  const id = newId()
  await db
    .insertInto('unseen_arrivals')
    .values({
      id,
      network_name: network,
      address: found.address,
      asset: found.asset,
      units,
      decimals,
      above: BigInt(found.above),
      height: BigInt(found.height),
    })
    .execute()
  const amount = textOfUnits(BigInt(units), decimals)
  await record(db, keys, {
    by: SYSTEM,
    action: 'arrival.unseen',
    subject: { type: 'arrival', id },
    ...(ownerId !== null && { ownerId }),
    after: { networkName: network, address: found.address, amount: `${amount} ${found.asset}` },
  })
}
