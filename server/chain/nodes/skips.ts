/** Blocks that two super admins leave out, since no node can read them (docs/decisions/087). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { type NetworkName, networks } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import {
  type BlockSkip,
  MOST_SKIPPED,
  SKIPS_SIZE,
  type SkipState,
} from '@pool/contract/chain/skips'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { type OnRecord, record, SYSTEM } from '../../records/audit/record.ts'
import type { BlockName, Node } from './node.ts'
import { isStopped } from './stopped.ts'

type Db = Kysely<Schema>
type AskedSkip = PayloadOf<'SKIP_BLOCKS'>

/**
 * Requires that the last look at the network stood at the first of the blocks, which it could not
 * read. Throws `skipRange`, `skipUncompared`, `skipWaits`, `blockReadable` and `blockNotNext`.
 */
export const requireSkippable = async (
  db: Db,
  { networkName, from, to }: AskedSkip,
): Promise<void> => {
  if (to < from || to - from >= MOST_SKIPPED) throw refusal('skipRange')
  const family = networks.find(({ name }) => name === networkName)?.family
  if (family === 'solana') throw refusal('skipUncompared')
  const { rows } = await sql<{ unread: number | null; newest: number; waits: boolean }>`
    SELECT CASE WHEN NOT ${isStopped} THEN unread_height END::float8 AS unread, height::float8 AS newest,
      EXISTS (SELECT FROM block_skips AS s WHERE s.network_name = c.network_name AND skipped_at IS NULL AND ended_at IS NULL) AS waits
    FROM chains AS c WHERE network_name = ${networkName}`.execute(db)
  const [chain] = rows
  if (chain?.waits) throw refusal('skipWaits')
  if (chain === undefined || chain.unread === null) throw refusal('blockReadable')
  if (chain.unread !== from) throw refusal('blockNotNext')
  if (to >= chain.newest) throw refusal('skipRange')
}

/** Writes a skip that two agreed. The follower does it. Throws as {@link requireSkippable}. */
export const agreeToSkip = async (db: Db, id: string, asked: AskedSkip): Promise<void> => {
  await requireSkippable(db, asked)
  const { networkName, from, to } = asked
  await db
    .insertInto('block_skips')
    .values({
      id,
      network_name: networkName,
      from_height: BigInt(from),
      to_height: BigInt(to),
    })
    .execute()
}

type SkippableBlock = {
  readonly network: NetworkName
  readonly node: Node
  /** The block that could not be read just now. */
  readonly at: number
  /** The newest block that no usual reorganisation takes back. */
  readonly upTo: number
}

/**
 * Leaves out agreed blocks, the first of which could not be read, once the last is deep enough. The
 * node names the last one, and the next must be its child. Undefined where nothing is left out.
 */
export const skipBlocks = async (
  { db, keys }: OnRecord,
  { network, node, at, upTo }: SkippableBlock,
): Promise<BlockName | undefined> => {
  const { rows } = await sql<{ id: string; to: number }>`
    SELECT id, to_height::float8 AS to FROM block_skips
    WHERE network_name = ${network} AND from_height = ${at} AND skipped_at IS NULL AND ended_at IS NULL`.execute(
    db,
  )
  const [agreed] = rows
  if (!agreed || agreed.to > upTo) return undefined
  const { id, to } = agreed
  const hash = await node.hashAt(to)
  if (hash === undefined) return undefined
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('block_skips')
      .set({ skipped_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('skipped_at', 'is', null)
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return undefined
    await transaction
      .insertInto('chain_blocks')
      .values({ network_name: network, height: BigInt(to), hash })
      .execute()
    await sql`UPDATE chains SET read_height = greatest(read_height, ${to}) WHERE network_name = ${network}`.execute(
      transaction,
    )
    await record(transaction, keys, {
      by: SYSTEM,
      action: 'skip.done',
      subject: { type: 'chain', id },
      after: { networkName: network, from: at, to, hash },
    })
    return { height: to, hash }
  })
}

/** Ends skips of a network that are chosen by a condition, and says so on record. */
export const endSkips = async (
  { db, keys }: OnRecord,
  network: NetworkName,
  chosen: RawBuilder<boolean>,
): Promise<void> => {
  const { rows } = await sql<{ id: string; from: number; to: number; done: boolean }>`
    UPDATE block_skips SET ended_at = now() WHERE network_name = ${network} AND ended_at IS NULL AND ${chosen}
    RETURNING id, from_height::float8 AS from, to_height::float8 AS to, skipped_at IS NOT NULL AS done`.execute(
    db,
  )
  for (const { id, done, ...blocks } of rows)
    await record(db, keys, {
      by: SYSTEM,
      action: 'skip.ended',
      subject: { type: 'chain', id },
      before: { networkName: network, ...blocks, state: done ? 'SKIPPED' : 'AGREED' },
    })
}

type Range = { readonly from: number; readonly to: number }

/** The blocks of a network that were left out. */
export const skippedRanges = async (db: Db, network: NetworkName): Promise<Range[]> => {
  const { rows } = await sql<Range>`
    SELECT from_height::float8 AS from, to_height::float8 AS to FROM block_skips
    WHERE network_name = ${network} AND skipped_at IS NOT NULL AND ended_at IS NULL`.execute(db)
  return rows
}

type SkipRow = Range & {
  readonly id: string
  readonly network: string
  readonly agreedAt: Date
  readonly skippedAt: Date | null
  readonly isEnded: boolean
  readonly askedBy: string | null
  readonly agreedBy: string | null
  readonly reason: string
}

const stateOf = ({ skippedAt, isEnded }: SkipRow): SkipState => {
  if (isEnded) return skippedAt === null ? 'READ' : 'UNDONE'
  return skippedAt === null ? 'AGREED' : 'SKIPPED'
}

type SkipOfNetwork = { readonly network: string; readonly skip: BlockSkip }

/** The newest skips of each network, as the wire has them. */
export const listSkips = async (db: Db): Promise<SkipOfNetwork[]> => {
  const { rows } = await sql<SkipRow>`
    SELECT s.id, s.network_name AS network, from_height::float8 AS from, to_height::float8 AS to, agreed_at AS "agreedAt",
      skipped_at AS "skippedAt", s.ended_at IS NOT NULL AS "isEnded", asker.username AS "askedBy", other.username AS "agreedBy", p.reason
    FROM (SELECT *, row_number() OVER (PARTITION BY network_name ORDER BY agreed_at DESC, id DESC) AS place FROM block_skips) AS s
    JOIN proposals AS p ON p.id = s.id
    LEFT JOIN users AS asker ON asker.id = p.asked_by AND asker.closed_at IS NULL
    LEFT JOIN users AS other ON other.id = p.decided_by AND other.closed_at IS NULL
    WHERE place <= ${SKIPS_SIZE} ORDER BY agreed_at DESC, s.id DESC`.execute(db)
  return rows.map((row) => ({
    network: row.network,
    skip: {
      id: row.id,
      from: row.from,
      to: row.to,
      state: stateOf(row),
      agreedAt: timestampFromDate(row.agreedAt),
      skippedAt: row.skippedAt && timestampFromDate(row.skippedAt),
      askedBy: row.askedBy,
      agreedBy: row.agreedBy,
      reason: row.reason,
    },
  }))
}
