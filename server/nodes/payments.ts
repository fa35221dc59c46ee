/**
 * The rows of payments and blocks. A payment is SEEN, then CONFIRMED. It may be REPLACED or DROPPED
 * before, and REVERSED after it was confirmed.
 */
import type { NetworkName } from '@pool/contract/networks'
import { type Kysely, sql } from 'kysely'
import { newId } from '../db/ids.ts'
import type { Schema } from '../db/schema.ts'
import type { Block, BlockName, Found, Payment, Spend } from './node.ts'

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

/** Writes the first block of a network, which is not read. */
export const beginAt = async (db: Db, network: NetworkName, { height, hash }: BlockName) => {
  const row = { network_name: network, height: BigInt(height), hash }
  await db.insertInto('chain_blocks').values(row).execute()
}

/** Takes blocks above a height back. Their payments are unconfirmed until they are found again. */
export const goBackTo = (db: Db, network: NetworkName, height: number): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await sql`DELETE FROM chain_blocks WHERE network_name = ${network} AND height > ${height}`.execute(
      transaction,
    )
    await sql`UPDATE payments SET state = 'SEEN', height = NULL, block_hash = NULL, changed_at = now()
      WHERE network_name = ${network} AND height > ${height}`.execute(transaction)
  })

/** Writes blocks in order, each the child of the one before, with what was found in them. */
export const writeBlocks = (
  db: Db,
  network: NetworkName,
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
    await sql`DELETE FROM chain_blocks WHERE network_name = ${network} AND height < ${top - KEPT}`.execute(
      transaction,
    )
    for (const { payments, spends, ...block } of blocks) {
      for (const payment of payments) await writeMined(transaction, network, payment, block)
      await replace(transaction, network, spends)
    }
  })

const columns = sql`id, transaction_id, output, address, asset, units, decimals, inputs, is_coinbase`
const valuesOf = (payment: Payment) => {
  const { transaction, output, address, asset, units, decimals, inputs, isCoinbase } = payment
  return sql`${newId()}, ${transaction}, ${output}, ${address}, ${asset}, ${units}, ${decimals},
    ${[...inputs]}::text[], ${isCoinbase}`
}

/** A later block may hold the transaction with other amounts, so these are written again. */
const writeMined = async (
  db: Db,
  network: NetworkName,
  payment: Payment,
  { height, hash, time }: BlockName & { readonly time: number },
): Promise<void> => {
  await sql`
    INSERT INTO payments (${columns}, network_name, state, height, block_hash, seen_at)
    VALUES (${valuesOf(payment)}, ${network}, 'SEEN', ${height}, ${hash}, least(now(), to_timestamp(${time})))
    ON CONFLICT ON CONSTRAINT payments_once DO UPDATE SET
      address = EXCLUDED.address, asset = EXCLUDED.asset, units = EXCLUDED.units,
      decimals = EXCLUDED.decimals, inputs = EXCLUDED.inputs,
      state = 'SEEN', height = EXCLUDED.height, block_hash = EXCLUDED.block_hash, changed_at = now()`.execute(
    db,
  )
}

/** Writes unconfirmed payments. One that was given up and is there again is seen again. */
export const writeUnconfirmed = async (
  db: Db,
  network: NetworkName,
  { payments, spends }: Found,
): Promise<void> => {
  for (const payment of payments)
    await sql`
      INSERT INTO payments AS p (${columns}, network_name, state)
      VALUES (${valuesOf(payment)}, ${network}, 'SEEN')
      ON CONFLICT ON CONSTRAINT payments_once DO UPDATE SET state = 'SEEN', changed_at = now()
      WHERE p.state IN ('DROPPED', 'REPLACED', 'REVERSED')`.execute(db)
  await replace(db, network, spends)
}

/** Ends unconfirmed payments of which another transaction spends an input. */
const replace = async (db: Db, network: NetworkName, spends: readonly Spend[]): Promise<void> => {
  for (const { input, transaction } of spends)
    await sql`
      UPDATE payments SET state = CASE WHEN confirmed_at IS NULL THEN 'REPLACED' ELSE 'REVERSED' END, changed_at = now()
      WHERE network_name = ${network} AND state = 'SEEN' AND height IS NULL
        AND transaction_id <> ${transaction} AND ${input} = ANY (inputs)`.execute(db)
}

/** Ends an unconfirmed payment of which the node knows nothing. */
export const drop = async (db: Db, id: string): Promise<void> => {
  await sql`
    UPDATE payments SET state = CASE WHEN confirmed_at IS NULL THEN 'DROPPED' ELSE 'REVERSED' END, changed_at = now()
    WHERE id = ${id} AND state = 'SEEN' AND height IS NULL`.execute(db)
}

export type OpenPayment = {
  readonly id: string
  readonly transaction: string
  readonly inputs: readonly string[]
}

/** Payments that are in no block. */
export const openPayments = async (db: Db, network: NetworkName): Promise<OpenPayment[]> =>
  db
    .selectFrom('payments')
    .select(['id', 'transaction_id as transaction', 'inputs'])
    .where('network_name', '=', network)
    .where('state', '=', 'SEEN')
    .where('height', 'is', null)
    .execute()

/** Confirms payments up to a height, and rewards of miners up to another one. */
export const confirm = async (
  db: Db,
  network: NetworkName,
  { upTo, coinbaseUpTo }: { readonly upTo: number; readonly coinbaseUpTo: number },
): Promise<void> => {
  await sql`
    UPDATE payments SET state = 'CONFIRMED', confirmed_at = now(), changed_at = now()
    WHERE network_name = ${network} AND state = 'SEEN'
      AND height <= CASE WHEN is_coinbase THEN ${coinbaseUpTo}::bigint ELSE ${upTo}::bigint END`.execute(
    db,
  )
}
