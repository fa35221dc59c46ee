/**
 * The rows of payments and blocks. A payment is SEEN, then CONFIRMED. It may be REPLACED or DROPPED
 * before, and REVERSED after it was confirmed.
 */
import type { NetworkName } from '@pool/contract/base/networks'
import { textOfRate } from '@pool/contract/chain/rates'
import { type Kysely, sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { type Pricing, ratesAt } from '../rates/ratesAt.ts'
import { NodeFault } from './fault.ts'
import type { Block, BlockName, Payment, Spend, WatchedActivity } from './node.ts'
import { endSkips } from './skips.ts'
import {
  type OpenSpending,
  reopenSpendings,
  replaceSpendings,
  writeSpendings,
} from './spendings.ts'

type Db = Kysely<Schema>

/** Hashes that are kept behind the cursor: the deepest reorganisation that is followed. */
const KEPT = 500

/** The kept blocks, the highest first. */
export const keptBlocks = async (db: Db, network: NetworkName): Promise<BlockName[]> => {
  const rows = await db
    .selectFrom('chain_blocks')
    .select(['height', 'hash'])
    .where('network_name', '=', network)
    .orderBy('height', 'desc')
    .execute()
  return rows.map(({ height, hash }) => ({ height: Number(height), hash }))
}

/** Writes the first blocks of a network, which are not read. */
export const beginAt = async (db: Db, network: NetworkName, blocks: readonly BlockName[]) => {
  const first = blocks.map(({ height, hash }) => ({
    network_name: network,
    height: BigInt(height),
    hash,
  }))
  await db.insertInto('chain_blocks').values(first).execute()
  await sql`
    INSERT INTO chains (network_name, state, followed_since) VALUES (${network}, 'UNCHECKED', now())
    ON CONFLICT (network_name) DO UPDATE SET followed_since = now()`.execute(db)
}

/** Throws `BEHIND` for a head below the highest block that was read, as on older files. */
export const requireReached = async (
  db: Db,
  network: NetworkName,
  head: Pick<BlockName, 'height'>,
): Promise<void> => {
  const chain = await db
    .selectFrom('chains')
    .select('read_height')
    .where('network_name', '=', network)
    .executeTakeFirst()
  if (head.height < (chain?.read_height ?? 0n))
    throw new NodeFault(
      'BEHIND',
      `The node is at block ${head.height}, and block ${chain?.read_height} was read before`,
    )
}

/** True where payments or spendings above a height were confirmed once, or blocks left out. */
export const hasConfirmedAbove = async (
  db: Db,
  network: NetworkName,
  height: number,
): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT FROM payments
        WHERE network_name = ${network} AND height > ${height} AND confirmed_at IS NOT NULL)
      OR EXISTS (SELECT FROM spendings
        WHERE network_name = ${network} AND height > ${height} AND confirmed_at IS NOT NULL)
      OR EXISTS (SELECT FROM block_skips
        WHERE network_name = ${network} AND to_height > ${height} AND skipped_at IS NOT NULL AND ended_at IS NULL) AS found`.execute(
    db,
  )
  return rows[0]?.found === true
}

/**
 * Takes blocks above a height back, skipped ones among them. Their payments and spendings are open
 * until found again.
 */
export const goBackTo = (
  { db, keys }: OnRecord,
  network: NetworkName,
  height: number,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await endSkips({ db: transaction, keys }, network, sql<boolean>`to_height > ${height}`)
    await sql`DELETE FROM chain_blocks WHERE network_name = ${network} AND height > ${height}`.execute(
      transaction,
    )
    await sql`UPDATE payments SET state = 'SEEN', height = NULL, block_hash = NULL, changed_at = now()
      WHERE network_name = ${network} AND height > ${height}`.execute(transaction)
    await reopenSpendings(transaction, network, height)
  })

/** Writes blocks in order, each the child of the one before, with what was found in them. */
export const writeBlocks = (
  { db, keys }: OnRecord,
  { network, pricing }: Follower,
  blocks: readonly Block[],
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('chain_blocks')
      .values(
        blocks.map(({ height, hash }) => ({
          network_name: network,
          height: BigInt(height),
          hash,
        })),
      )
      .execute()
    const top = blocks.at(-1)?.height ?? 0
    const isNeedless = sql<boolean>`skipped_at IS NULL AND from_height <= ${top}`
    await endSkips({ db: transaction, keys }, network, isNeedless)
    await sql`UPDATE chains SET read_height = greatest(read_height, ${top})
      WHERE network_name = ${network}`.execute(transaction)
    await sql`DELETE FROM chain_blocks WHERE network_name = ${network} AND height < ${top - KEPT}`.execute(
      transaction,
    )
    const found = blocks.flatMap(({ payments, height, hash, time }) =>
      payments.map((payment) => ({ payment, height, hash, time })),
    )
    await writePayments(transaction, { network, pricing }, found)
    const spendings = blocks.flatMap(({ spendings, height, hash }) =>
      spendings.map((spending) => ({ spending, height, hash })),
    )
    await writeSpendings(transaction, network, spendings)
    const spends = blocks.flatMap(({ spends }) => spends)
    await replace(transaction, network, spends)
    await replaceSpendings(transaction, network, spends)
  })

/** A network, and how its coins are priced. */
export type Follower = { readonly network: NetworkName; readonly pricing: Pricing }

/** A payment in a block, or in none yet. */
type Seen = {
  readonly payment: Payment
  readonly height: number | null
  readonly hash: string | null
  /** The time of its block. */
  readonly time: number | null
}

/**
 * Writes payments with the rate of the moment at which they are first seen. One that was given up
 * is seen again, and a block may hold a transaction with other amounts than before.
 */
const writePayments = async (
  db: Db,
  { network, pricing }: Follower,
  found: readonly Seen[],
): Promise<void> => {
  if (found.length === 0) return
  const moments = await ratesAt(
    db,
    pricing,
    found.map(({ payment, time }) => ({ coin: payment.asset, seconds: time })),
  )
  const rows = found.map(({ payment, height, hash }, at) => {
    const { moment, rate } = moments[at] ?? {}
    const { units, inputs, ...rest } = payment
    return {
      id: newId(),
      ...rest,
      inputs,
      units: String(units),
      height,
      hash,
      seen_at: moment,
      ...(rate && {
        dollars: textOfRate(rate.rate),
        rate_source: rate.source,
        rate_at: rate.at,
      }),
    }
  })
  await sql`
    INSERT INTO payments AS p (id, network_name, transaction_id, output, address, asset, units, decimals, inputs, is_coinbase, state, height, block_hash, seen_at, dollars, rate_source, rate_at)
    SELECT id, ${network}, transaction, output, address, asset, units, decimals, inputs, "isCoinbase", 'SEEN', height, hash, seen_at, dollars, rate_source, rate_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS seen (id uuid, transaction text, output integer, address text, asset text, units numeric, decimals integer, inputs text[], "isCoinbase" boolean, height bigint, hash text, seen_at timestamptz, dollars numeric, rate_source text, rate_at timestamptz)
    ON CONFLICT ON CONSTRAINT payments_once DO UPDATE SET
      address = EXCLUDED.address, asset = EXCLUDED.asset, units = EXCLUDED.units,
      decimals = EXCLUDED.decimals, inputs = EXCLUDED.inputs,
      state = 'SEEN', height = EXCLUDED.height, block_hash = EXCLUDED.block_hash, changed_at = now(),
      dollars = CASE WHEN p.asset = EXCLUDED.asset THEN p.dollars ELSE EXCLUDED.dollars END,
      rate_source = CASE WHEN p.asset = EXCLUDED.asset THEN p.rate_source ELSE EXCLUDED.rate_source END,
      rate_at = CASE WHEN p.asset = EXCLUDED.asset THEN p.rate_at ELSE EXCLUDED.rate_at END
    WHERE EXCLUDED.height IS NOT NULL OR p.state IN ('DROPPED', 'REPLACED', 'REVERSED')`.execute(db)
}

/** Writes unconfirmed payments and spendings. */
export const writeUnconfirmed = async (
  db: Db,
  follower: Follower,
  { payments, spendings, spends }: WatchedActivity,
): Promise<void> => {
  const found = payments.map((payment) => ({ payment, height: null, hash: null, time: null }))
  await writePayments(db, follower, found)
  await writeSpendings(
    db,
    follower.network,
    spendings.map((spending) => ({ spending, height: null, hash: null })),
  )
  await replace(db, follower.network, spends)
  await replaceSpendings(db, follower.network, spends)
}

/** Ends unconfirmed payments of which another transaction spends an input. */
const replace = async (db: Db, network: NetworkName, spends: readonly Spend[]): Promise<void> => {
  if (spends.length === 0) return
  await sql`
    UPDATE payments SET state = CASE WHEN confirmed_at IS NULL THEN 'REPLACED' ELSE 'REVERSED' END, changed_at = now()
    FROM unnest(${spends.map(({ input }) => input)}::text[], ${spends.map(({ transaction }) => transaction)}::text[])
      AS spent (input, transaction)
    WHERE network_name = ${network} AND state = 'SEEN' AND height IS NULL
      AND transaction_id <> spent.transaction AND spent.input = ANY (inputs)`.execute(db)
}

/** Ends unconfirmed payments of which the node knows nothing. */
export const drop = async (db: Db, ids: readonly string[]): Promise<void> => {
  await sql`
    UPDATE payments SET state = CASE WHEN confirmed_at IS NULL THEN 'DROPPED' ELSE 'REVERSED' END, changed_at = now()
    WHERE id = ANY (${ids}::uuid[]) AND state = 'SEEN' AND height IS NULL`.execute(db)
}

/** Payments that are in no block. */
export const openPayments = async (db: Db, network: NetworkName): Promise<OpenSpending[]> =>
  db
    .selectFrom('payments')
    .select(['id', 'transaction_id as transaction', 'inputs'])
    .where('network_name', '=', network)
    .where('state', '=', 'SEEN')
    .where('height', 'is', null)
    .execute()

/** The heights up to which payments are confirmed. */
export type Confirmed = {
  readonly upTo: number
  /** Of rewards of miners. */
  readonly coinbaseUpTo: number
  /** Of payments that are worth no more than these dollars. */
  readonly small?: { readonly upTo: number; readonly dollars: number } | undefined
}

/**
 * Confirms payments. A payment is small while the total of its address stays within the limit, as
 * long as the payments are not deep. Without a rate no payment is small.
 */
export const confirm = async (
  db: Db,
  network: NetworkName,
  { upTo, coinbaseUpTo, small = { upTo, dollars: 0 } }: Confirmed,
): Promise<void> => {
  await sql`
    -- Once for each address: thousands of payments to a few would take the square of them.
    WITH few AS (
      SELECT address FROM payments WHERE network_name = ${network} AND height > ${upTo} GROUP BY address
      HAVING bool_and(dollars IS NOT NULL) AND sum(units * dollars / 10::numeric ^ decimals) <= ${small.dollars}
    )
    UPDATE payments AS p SET state = 'CONFIRMED', confirmed_at = now(), changed_at = now()
    WHERE network_name = ${network} AND state = 'SEEN' AND height <= CASE
      WHEN is_coinbase THEN ${coinbaseUpTo}::bigint
      WHEN height > ${upTo} AND address IN (SELECT address FROM few) THEN ${small.upTo}::bigint ELSE ${upTo}::bigint END`.execute(
    db,
  )
}
