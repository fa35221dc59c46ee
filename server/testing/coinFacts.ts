/** Payments and spendings in the database, as followers write them. */
import type pg from 'pg'
import { newId } from '../base/db/ids.ts'

type State = 'SEEN' | 'CONFIRMED' | 'REPLACED' | 'DROPPED' | 'REVERSED'

export type Coins = { readonly address: string; readonly asset: string; readonly units: bigint }

type PaymentFact = Coins & {
  readonly network?: string
  readonly transaction: string
  readonly output?: number
  readonly state?: State
  readonly height?: number
  readonly decimals?: number
  /** Dollars for one coin. */
  readonly dollars?: string
}

/** Writes a payment, or changes the one of the same output. Returns its id. */
export const writePayment = async (
  pool: Pick<pg.Pool, 'query'>,
  fact: PaymentFact,
): Promise<string> => {
  const { network = 'Ethereum', transaction, output = 0, address, asset, units } = fact
  const { state = 'CONFIRMED', height = 10, decimals = 6, dollars = null } = fact
  const isMined = state === 'CONFIRMED' || (state === 'SEEN' && height > 0)
  const { rows } = await pool.query(
    `INSERT INTO payments AS p (id, network_name, transaction_id, output, address, asset, units, decimals, state, height, block_hash, dollars, rate_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, CASE WHEN $12::numeric IS NOT NULL THEN now() END)
     ON CONFLICT ON CONSTRAINT payments_once DO UPDATE SET units = EXCLUDED.units, state = EXCLUDED.state,
       height = EXCLUDED.height, block_hash = EXCLUDED.block_hash
     RETURNING id`,
    [
      newId(),
      network,
      transaction,
      output,
      address,
      asset,
      String(units),
      decimals,
      state,
      isMined ? height : null,
      isMined ? `block ${height}` : null,
      dollars,
    ],
  )
  return rows[0].id
}

type SpendingFact = {
  readonly network?: string
  readonly transaction: string
  readonly state?: State
  readonly height?: number
  readonly fee?: bigint
  readonly feeAsset?: string
  readonly decimals?: number
  readonly spent?: readonly Coins[]
  readonly sent?: readonly (Coins & { readonly output?: number })[]
}

/** Writes a spending with its coins, or changes the one of the same transaction. Returns its id. */
export const writeSpending = async (
  pool: Pick<pg.Pool, 'connect'>,
  fact: SpendingFact,
): Promise<string> => {
  const { network = 'Ethereum', transaction, state = 'CONFIRMED', height = 10 } = fact
  const { fee = 0n, feeAsset = 'ETH', decimals = 6, spent = [], sent = [] } = fact
  const isMined = state === 'CONFIRMED' || (state === 'SEEN' && height > 0)
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const { rows } = await client.query(
      `INSERT INTO spendings (id, network_name, transaction_id, state, height, block_hash, fee_units, fee_asset, confirmed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $4 = 'CONFIRMED' THEN now() END)
       ON CONFLICT ON CONSTRAINT spendings_once DO UPDATE SET state = EXCLUDED.state, height = EXCLUDED.height,
         block_hash = EXCLUDED.block_hash, fee_units = EXCLUDED.fee_units, confirmed_at = EXCLUDED.confirmed_at
       RETURNING id`,
      [
        newId(),
        network,
        transaction,
        state,
        isMined ? height : null,
        isMined ? `block ${height}` : null,
        String(fee),
        feeAsset,
      ],
    )
    const { id } = rows[0]
    await client.query('DELETE FROM spent_coins WHERE spending_id = $1', [id])
    await client.query('DELETE FROM sent_coins WHERE spending_id = $1', [id])
    for (const [position, { address, asset, units }] of spent.entries())
      await client.query('INSERT INTO spent_coins VALUES ($1, $2, $3, $4, $5, $6, NULL)', [
        id,
        position,
        address,
        asset,
        String(units),
        decimals,
      ])
    for (const [place, { address, asset, units, output = place }] of sent.entries())
      await client.query('INSERT INTO sent_coins VALUES ($1, $2, $3, $4, $5, $6)', [
        id,
        output,
        address,
        asset,
        String(units),
        decimals,
      ])
    await client.query('COMMIT')
    return id
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}

/** Settles a spending as two people do. */
export const settleSpending = async (
  pool: Pick<pg.Pool, 'query'>,
  id: string,
  [first, second]: readonly [string, string],
): Promise<void> => {
  const proposal = newId()
  await pool.query(
    `INSERT INTO proposals (id, kind, subject, payload, language, reason, asked_by, status, decided_by, decided_at, ended_at)
     SELECT '${proposal}', 'SETTLE_SPENDING', network_name || ' ' || transaction_id,
       jsonb_build_object('networkName', network_name, 'transaction', transaction_id), 'en', 'sold', '${first}', 'DONE', '${second}', now(), now()
     FROM spendings WHERE id = '${id}';
     UPDATE spendings SET settled_at = now(), settled_by = '${second}', reason = 'sold', settlement_id = '${proposal}' WHERE id = '${id}'`,
  )
}
