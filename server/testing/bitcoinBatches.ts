/** The calls of tests about batches of Bitcoin, on a pool with $140,000 in eight outputs. */
import { approveBatch, giveUpBatch, previewBatch } from '@pool/contract/coins/batches'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { newId } from '../base/db/ids.ts'
import { type BitcoinPool, startBitcoinPool } from './coinsOut.ts'
import { expectWhole } from './decisions.ts'
import { type Person, person } from './product.ts'

/** Starts the pool before the tests of a file, and expects it whole after each. */
export const bitcoinBatches = () => {
  // Long: the acts on batches are short functions that share its state.
  let pool: BitcoinPool
  let admin: Person
  let other: Person
  beforeAll(async () => {
    pool = await startBitcoinPool()
    admin = pool.admin
    other = await person(pool.product, ['ADMIN'])
    await pool.fund(['1', '0.5', '0.5', '0.25', '0.25', '0.1', '0.1', '0.1'])
  }, 180_000)
  afterEach(() => expectWhole(pool.product))
  afterAll(() => pool?.close())

  const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await pool.product.database.superuser.query(text, values)).rows
  const giveUp = (id: string, by = admin) =>
    pool.product.call(giveUpBatch, {
      token: by.token,
      params: { id },
      payload: { reason: 'The signer is ill' },
    })
  const approve = (id: string, digest: string, by = other) =>
    pool.product.call(approveBatch, { token: by.token, params: { id }, payload: { digest } })
  const preview = async (ids: readonly string[], more: object = {}, by = admin) =>
    pool.product.call(previewBatch, { token: by.token, payload: pool.payloadOf(ids, more) })
  /** The batch that was made, READY or WAITING. */
  const made = async (ids: readonly string[], more: object = {}, by = admin) => {
    const answer = await pool.make(by, ids, more)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const inputsOf = async (id: string) =>
    (
      await rows<{ input: string }>(
        'SELECT input FROM batch_inputs WHERE batch_id = $1 ORDER BY input',
        id,
      )
    ).map(({ input }) => input)
  const fileOf = async (id: string) => (await pool.file(admin, id)).body.text
  /** Writes what the follower writes once it sees the transaction that spends these outputs. */
  const seen = async (batchId: string | null, inputs: readonly string[], state = 'SEEN') => {
    const id = newId()
    await rows(
      `INSERT INTO spendings (id, network_name, transaction_id, state, height, block_hash, fee_units, fee_asset, batch_id)
       VALUES ($1, 'Bitcoin', $2, $3, CASE WHEN $3 = 'CONFIRMED' THEN 1 END, CASE WHEN $3 = 'CONFIRMED' THEN 'x' END, 1, 'BTC', $4)`,
      id,
      `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', ''),
      state,
      batchId,
    )
    for (const [position, input] of inputs.entries())
      await rows(
        `INSERT INTO spent_coins (spending_id, position, address, asset, units, decimals, input)
         VALUES ($1, $2, 'x', 'BTC', 1, 8, $3)`,
        id,
        position,
        input,
      )
    return id
  }
  return {
    pool: () => pool,
    admin: () => admin,
    other: () => other,
    rows,
    giveUp,
    approve,
    preview,
    made,
    inputsOf,
    fileOf,
    seen,
  }
}
