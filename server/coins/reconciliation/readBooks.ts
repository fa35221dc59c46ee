/** The books of our coins at a block (docs/product.md 5.25). */
import { networks } from '@pool/contract/base/networks'
import type { OwnAccount } from '@pool/contract/coins/custody'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { BlockName } from '../../chain/nodes/node.ts'
import type { Pricing } from '../../chain/rates/ratesAt.ts'
import { readUncovered } from '../custody/capital.ts'
import { postSome } from '../custody/postCoins.ts'

type Db = Kysely<Schema>

export type BookLine = {
  readonly asset: string
  readonly decimals: number
  readonly account: OwnAccount
  readonly booked: bigint
  readonly pending: bigint
}

export type Books = {
  readonly lines: readonly BookLine[]
  /** Units by asset that left unexplained and are not settled. */
  readonly unexplained: ReadonlyMap<string, bigint>
  /** Units by asset of capital that no payment covers. */
  readonly uncovered: ReadonlyMap<string, { readonly units: bigint; readonly decimals: number }>
  /** Asset and account of each line that has an opening balance, or was whole once. */
  readonly opened: ReadonlySet<string>
  /** True where every address of investors was added after the first look, so all began empty. */
  readonly beganEmpty: boolean
}

type At = { readonly network: string; readonly block: BlockName }

/**
 * Posts what is due, and reads the books of a network at a block in one view of the database.
 * Undefined where the block is not one that was read, since the chain has gone on or back.
 */
export const readBooks = (db: Db, pricing: Pricing, at: At): Promise<Books | undefined> =>
  db.transaction().execute(async (transaction) => {
    for (;;) {
      await postSome(transaction, pricing)
      const { isPosted, isRead, books } = await readOnce(transaction, at)
      // A follower may have written facts between the two.
      if (isPosted) return isRead ? books : undefined
    }
  })

type BookedRow = {
  readonly asset: string
  readonly decimals: number
  readonly account: OwnAccount
  readonly booked: string
  readonly pending: string
}

type ReadBalances = {
  readonly isPosted: boolean
  readonly isRead: boolean
  readonly lines: readonly BookedRow[] | null
  readonly unexplained: readonly { readonly asset: string; readonly units: string }[] | null
  readonly beganEmpty: boolean
}

const readOnce = async (db: Db, { network, block }: At) => {
  const family = networks.find(({ name }) => name === network)?.family
  const isBitcoin = family === 'bitcoin'
  const names = networks.filter((each) => each.family === family).map(({ name }) => name)
  const { rows } = await sql<ReadBalances>`
    WITH moved AS (
      SELECT asset, decimals, m.transaction_id, side.account, side.units
      FROM coin_movements AS m CROSS JOIN LATERAL (VALUES (to_account, units), (from_account, -units)) AS side (account, units)
      WHERE network_name = ${network} AND height <= ${block.height}
    ), waiting AS (
      SELECT id, transaction_id, fee_units, fee_asset FROM spendings
      WHERE network_name = ${network} AND state = 'SEEN' AND height <= ${block.height}
    ), facts AS (
      -- Payments in a block, of which a waiting spending holds back also confirmed ones.
      SELECT p.asset, p.decimals, coin_account(p.network_name, p.address) AS account, p.units
      FROM payments AS p
      WHERE network_name = ${network} AND height <= ${block.height}
        AND (state = 'SEEN' OR state = 'CONFIRMED' AND transaction_id IN (SELECT transaction_id FROM waiting))
        AND NOT EXISTS (SELECT FROM spendings AS s WHERE s.network_name = p.network_name AND s.transaction_id = p.transaction_id AND s.state = 'CONFIRMED')
      UNION ALL
      SELECT c.asset, c.decimals, coalesce(coin_account(${network}, c.address), 'deposit'), -c.units
      FROM waiting AS w JOIN spent_coins AS c ON c.spending_id = w.id
      UNION ALL
      SELECT w.fee_asset, d.decimals, coalesce(payer.account, 'payer'), -w.fee_units
      FROM waiting AS w
      CROSS JOIN LATERAL (SELECT coalesce(max(decimals), 18) AS decimals FROM moved WHERE asset = w.fee_asset) AS d
      LEFT JOIN LATERAL (
        SELECT CASE WHEN count(DISTINCT a.account) = 1 AND min(a.account) <> 'safe' THEN min(a.account) END AS account
        FROM spent_coins AS c CROSS JOIN LATERAL (SELECT coin_account(${network}, c.address) AS account) AS a
        WHERE c.spending_id = w.id) AS payer ON true
      WHERE NOT ${isBitcoin} AND w.fee_units > 0
      UNION ALL
      -- What was booked of them before they waited again.
      SELECT asset, decimals, account, -units FROM moved WHERE transaction_id IN (SELECT transaction_id FROM waiting)
    ), lines AS (
      SELECT asset, max(decimals) AS decimals, account, sum(booked) AS booked, sum(pending) AS pending FROM (
        SELECT asset, decimals, account, units AS booked, 0 AS pending FROM moved
        UNION ALL SELECT asset, decimals, account, 0, units FROM facts
      ) AS parts
      WHERE account IN ('deposit', 'change', 'cold', 'safe', 'payer') GROUP BY asset, account
    )
    SELECT
      NOT EXISTS (SELECT FROM coin_facts_due WHERE network_name = ${network}) AS "isPosted",
      EXISTS (SELECT FROM chain_blocks WHERE network_name = ${network} AND height = ${block.height} AND hash = ${block.hash}) AS "isRead",
      NOT EXISTS (SELECT FROM wallets AS w JOIN chains AS c ON c.network_name = ${network}
        WHERE w.network_name = ANY (${names}) AND w.created_at < c.followed_since
          AND (w.owner_id IS NOT NULL OR EXISTS (SELECT FROM payments AS p WHERE p.address = w.address))) AS "beganEmpty",
      (SELECT jsonb_agg(jsonb_build_object('asset', asset, 'decimals', decimals, 'account', account,
        'booked', booked::text, 'pending', pending::text)) FROM lines) AS lines,
      (SELECT jsonb_agg(jsonb_build_object('asset', asset, 'units', units::text)) FROM (
        SELECT asset, sum(units) AS units FROM moved WHERE account = 'unexplained' GROUP BY asset HAVING sum(units) <> 0
      ) AS left_over) AS unexplained`.execute(db)
  const [row] = rows
  const opened = await readOpened(db, network)
  const uncovered = await readUncovered(db, network)
  const lines = (row?.lines ?? []).map(({ booked, pending, ...line }) => ({
    ...line,
    booked: BigInt(booked),
    pending: BigInt(pending),
  }))
  const unexplained = (row?.unexplained ?? []).map(
    ({ asset, units }) => [asset, BigInt(units)] as const,
  )
  return {
    isPosted: row?.isPosted === true,
    isRead: row?.isRead === true,
    books: {
      lines,
      unexplained: new Map(unexplained),
      uncovered,
      opened,
      beganEmpty: row?.beganEmpty === true,
    },
  }
}

const readOpened = async (db: Db, network: string): Promise<Set<string>> => {
  const { rows } = await sql<{ name: string }>`
    SELECT concat_ws(' ', asset, account) AS name FROM reconciled_lines
    WHERE network_name = ${network} AND chain = booked + pending
    UNION
    SELECT concat_ws(' ', asset, account) FROM coin_movements CROSS JOIN LATERAL (VALUES (from_account), (to_account)) AS side (account)
    WHERE network_name = ${network} AND cause = 'OPENING'`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
