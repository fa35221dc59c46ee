/**
 * The rows of transactions that spend our coins. One lives as a payment does: SEEN, then CONFIRMED.
 * It may be REPLACED or DROPPED before, and REVERSED after it was confirmed.
 */
import type { NetworkName } from '@pool/contract/base/networks'
import { type Kysely, sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import { coins } from './coins.ts'
import type { Spend, Spending, Unspent } from './node.ts'

type Db = Kysely<Schema>

/** Takes blocks above a height back. Their spendings are unconfirmed until they are found again. */
export const reopenSpendings = async (db: Db, network: NetworkName, height: number) => {
  await sql`UPDATE spendings SET state = 'SEEN', height = NULL, block_hash = NULL, changed_at = now()
    WHERE network_name = ${network} AND height > ${height}`.execute(db)
}

/** A spending in a block, or in none yet. */
export type SeenSpending = {
  readonly spending: Spending
  readonly height: number | null
  readonly hash: string | null
}

const asRow = (coins: { readonly units: bigint }) => ({ ...coins, units: String(coins.units) })

/**
 * Writes spendings. One that was given up is seen again, and a block may hold a transaction with
 * other amounts than before, so its coins are written anew.
 */
export const writeSpendings = async (
  db: Db,
  network: NetworkName,
  found: readonly SeenSpending[],
): Promise<void> => {
  if (found.length === 0) return
  const rows = found.map(({ spending: { transaction, inputs, fee }, height, hash }) => ({
    id: newId(),
    transaction,
    inputs,
    height,
    hash,
    fee: String(fee),
  }))
  const { rows: written } = await sql<{ id: string; transaction: string }>`
    INSERT INTO spendings AS s (id, network_name, transaction_id, state, height, block_hash, inputs, fee_units, fee_asset)
    SELECT id, ${network}, transaction, 'SEEN', height, hash, inputs, fee, ${coins[network]}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS seen (id uuid, transaction text, inputs text[], height bigint, hash text, fee numeric)
    ON CONFLICT ON CONSTRAINT spendings_once DO UPDATE SET
      state = 'SEEN', height = EXCLUDED.height, block_hash = EXCLUDED.block_hash,
      inputs = EXCLUDED.inputs, fee_units = EXCLUDED.fee_units, changed_at = now()
    WHERE EXCLUDED.height IS NOT NULL OR s.state IN ('DROPPED', 'REPLACED', 'REVERSED')
    RETURNING id, transaction_id AS transaction`.execute(db)
  const ids = new Map(written.map(({ id, transaction }) => [transaction, id]))
  const coinsOf = <Part extends 'spent' | 'sent'>(part: Part): string =>
    JSON.stringify(
      found.flatMap(({ spending }) => {
        const id = ids.get(spending.transaction)
        return id === undefined ? [] : spending[part].map((each) => ({ id, ...asRow(each) }))
      }),
    )
  const all = [...ids.values()]
  await sql`DELETE FROM spent_coins WHERE spending_id = ANY (${all}::uuid[])`.execute(db)
  await sql`DELETE FROM sent_coins WHERE spending_id = ANY (${all}::uuid[])`.execute(db)
  await sql`
    INSERT INTO spent_coins (spending_id, position, address, asset, units, decimals, input)
    SELECT * FROM jsonb_to_recordset(${coinsOf('spent')}::jsonb)
      AS spent (id uuid, position integer, address text, asset text, units numeric, decimals integer, input text)`.execute(
    db,
  )
  await sql`
    INSERT INTO sent_coins (spending_id, output, address, asset, units, decimals)
    SELECT * FROM jsonb_to_recordset(${coinsOf('sent')}::jsonb)
      AS sent (id uuid, output integer, address text, asset text, units numeric, decimals integer)`.execute(
    db,
  )
}

/** Ends unconfirmed spendings of which another transaction spends an input. */
export const replaceSpendings = async (
  db: Db,
  network: NetworkName,
  spends: readonly Spend[],
): Promise<void> => {
  if (spends.length === 0) return
  await sql`
    UPDATE spendings SET state = CASE WHEN confirmed_at IS NULL THEN 'REPLACED' ELSE 'REVERSED' END, changed_at = now()
    FROM unnest(${spends.map(({ input }) => input)}::text[], ${spends.map(({ transaction }) => transaction)}::text[])
      AS spent (input, transaction)
    WHERE network_name = ${network} AND state = 'SEEN' AND height IS NULL
      AND transaction_id <> spent.transaction AND spent.input = ANY (inputs)`.execute(db)
}

/** Ends unconfirmed spendings of which the node knows nothing. */
export const dropSpendings = async (db: Db, ids: readonly string[]): Promise<void> => {
  await sql`
    UPDATE spendings SET state = CASE WHEN confirmed_at IS NULL THEN 'DROPPED' ELSE 'REVERSED' END, changed_at = now()
    WHERE id = ANY (${ids}::uuid[]) AND state = 'SEEN' AND height IS NULL`.execute(db)
}

/** A payment or a spending that is in no block. */
export type OpenSpending = {
  readonly id: string
  readonly transaction: string
  readonly inputs: readonly string[]
}

/** Spendings that are in no block. */
export const openSpendings = (db: Db, network: NetworkName): Promise<OpenSpending[]> =>
  db
    .selectFrom('spendings')
    .select(['id', 'transaction_id as transaction', 'inputs'])
    .where('network_name', '=', network)
    .where('state', '=', 'SEEN')
    .where('height', 'is', null)
    .execute()

/** Confirms spendings up to a height. */
export const confirmSpendings = async (
  db: Db,
  network: NetworkName,
  upTo: number,
): Promise<void> => {
  await sql`
    UPDATE spendings SET state = 'CONFIRMED', confirmed_at = now(), changed_at = now()
    WHERE network_name = ${network} AND state = 'SEEN' AND height <= ${upTo}`.execute(db)
}

/**
 * Outputs that pay our addresses, by `id:number`, without those whose spending is confirmed. Ones
 * that an unconfirmed transaction spends are among them, as another may spend them in its place.
 */
export const readUnspent = async (db: Db, network: NetworkName): Promise<Map<string, Unspent>> => {
  const { rows } = await sql<{ input: string; address: string; units: string }>`
    SELECT input, address, units FROM (
      SELECT transaction_id || ':' || output AS input, address, units::text FROM payments
      WHERE network_name = ${network} AND state IN ('SEEN', 'CONFIRMED')) AS paid
    WHERE NOT EXISTS (SELECT FROM spent_coins AS c JOIN spendings AS s ON s.id = c.spending_id
      WHERE c.input = paid.input AND s.network_name = ${network} AND s.state = 'CONFIRMED')`.execute(
    db,
  )
  return new Map(
    rows.map(({ input, address, units }) => [input, { address, units: BigInt(units) }]),
  )
}
