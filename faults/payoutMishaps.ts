/** Mishaps around a batch: of prices, nodes, coins that move otherwise, and files that are old. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { giveUpBatch } from '../server/coins/batches/giveUpBatch.ts'
import { makeBatch } from '../server/coins/batches/makeBatch.ts'
import { checkCoins } from '../server/coins/custody/checkCoins.ts'
import { postCoins } from '../server/coins/custody/postCoins.ts'
import { markSent } from '../server/requests/transactions/markSent.ts'
import { newAddress } from '../server/testing/addresses.ts'
import { addOwn } from '../server/testing/ownCoins.ts'
import type { Only } from './chainCases.ts'
import type { Payouts, Steps } from './chainPayouts.ts'
import { madeBetweenForks } from './forkedBatches.ts'
import type { Target } from './playChain.ts'

const isBitcoin = ({ stage }: Payouts): boolean => stage.chain.network === 'Bitcoin'

/** Posts all coins that were read, and returns the movements of some transactions in words. */
const booked = async ({ stage, query }: Payouts, ids: readonly string[]): Promise<string[]> => {
  const { context } = stage.world.product
  await postCoins(context.db, context.config)
  expect(await checkCoins(context.db)).toBeUndefined()
  const rows = await query(
    `SELECT DISTINCT concat_ws(' ', kind, from_account, to_account) AS words FROM coin_movements
     WHERE transaction_id = ANY ($1) AND takes_back IS NULL AND kind NOT IN ('FEE', 'GAS') ORDER BY words`,
    [ids],
  )
  return rows.map(({ words }) => words)
}

/** The batch keeps its units and its rate, and the books count the dollars of the payment. */
const priceJumps: Steps = async (payouts) => {
  const { all, ours, stage, settle, statuses, query, batchId } = payouts
  const { world, coin, chain } = stage
  const rate = world.rateAt(coin.coin)
  const later = coin.coin === 'USDC' ? rate : rate * 3n
  if (later !== rate) await world.setRate(coin.coin, later, (await chain.height()) + 1)
  await chain.passSecond()
  const ids = await ours.pay(...all)
  await settle()
  expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED'])
  expect(await booked(payouts, ids)).toContain('SENT payer payouts')
  const [batch] = await query('SELECT dollars::text FROM batches WHERE id = $1', [batchId])
  expect(batch?.dollars).toBe('1')
  const sent = await query(
    `SELECT sum(cents)::text AS cents, sum(units)::text AS units FROM coin_movements
     WHERE transaction_id = ANY ($1) AND kind = 'SENT'`,
    [ids],
  )
  const units = all.reduce((sum, each) => sum + each.units, 0n)
  expect(sent[0]?.units).toBe(String(units))
  const worth = Number(units * later) / 10 ** coin.decimals
  // Each movement is rounded by itself.
  expect(Math.abs(Number(sent[0]?.cents) - worth)).toBeLessThan(2)
  if (later !== rate) await world.setRate(coin.coin, rate, (await chain.height()) + 1)
  return []
}

/** A signer who counts at the new price pays another number of units than the batch says. */
const paidAtNewPrice: Steps = async ({ all: [first, second], ours, settle, statuses }) => {
  await ours.pay({ ...first, units: (first.units * 2n) / 3n }, second)
  await settle()
  expect(await statuses()).toEqual(['APPROVED', 'COMPLETED'])
  return ['SHORT']
}

/** A higher fee each time, until a block has one. */
const bumpedTwice: Steps = async ({ all, ours, follow, statuses, query, batchId }) => {
  let [id = ''] = await ours.pay(...all)
  for (let times = 0; times < 2; times += 1) {
    id = await ours.bump(id, all[0])
    await follow()
    expect(await statuses()).toEqual(['PROCESSING', 'PROCESSING'])
  }
  const paid = await query('SELECT transaction_id AS id FROM batch_payouts WHERE batch_id = $1', [
    batchId,
  ])
  expect(paid).toEqual([{ id }, { id }])
  return []
}

/** Our coins go to cold storage while the batch waits. Bitcoin's were those of its file. */
const sweptToCold: Steps = async (payouts) => {
  const { all, ours, stage, settle, alarms, statuses } = payouts
  const cold = newAddress(stage.coin.network)
  await addOwn(
    { superuser: stage.world.product.database.superuser },
    stage.coin.network,
    cold,
    'COLD',
  )
  const ids = await ours.pay({ to: cold, units: stage.units(20) })
  await settle()
  expect(await alarms()).toEqual(isBitcoin(payouts) ? ['OTHER'] : [])
  expect(await statuses()).toEqual(['APPROVED', 'APPROVED'])
  expect(await booked(payouts, ids)).toEqual(['SWEPT payer cold'])
  // The operator pays what the batch says from the rest.
  await ours.pay(...all)
  return []
}

/** Coins go to an exchange's contract, which gives others in the same transaction. */
const converted: Steps = async (payouts) => {
  const { all, ours, stage, settle, alarms, statuses } = payouts
  const id = (await stage.coin.convert?.(stage.units(10))) ?? ''
  await settle()
  // It left to an address of others, so people look at it. The books know both sides.
  expect(await alarms()).toEqual(['UNEXPLAINED'])
  expect(await booked(payouts, [id])).toEqual([
    'CONVERTED converted payer',
    'CONVERTED payer converted',
  ])
  expect(await statuses()).toEqual(['APPROVED', 'APPROVED'])
  await ours.pay(...all)
  return ['UNEXPLAINED']
}

/** Staff pay another withdrawal by hand, and mark it. */
const paidByHandBeside: Steps = async ({ due, all, ours, stage, settle, query, statuses }) => {
  const { world, chain, coin } = stage
  const other = await due(25)
  const [evidence = ''] = await ours.pay(other)
  await chain.mine()
  await markSent(world.product.context, {
    transactionId: other.id,
    networkName: coin.network,
    by: world.staff,
    evidence: chain.network === 'Bitcoin' ? `${evidence}:0` : evidence,
  })
  await settle()
  await ours.pay(...all)
  await settle()
  expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED'])
  // The chain shows that the mark pays what is owed, so the product completes it.
  expect(await query('SELECT status, sent_by FROM transactions WHERE id = $1', [other.id])).toEqual(
    [{ status: 'COMPLETED', sent_by: world.staff.id }],
  )
  return []
}

/** Staff pay a payee of the batch by hand, and the file is signed all the same. */
const paidByHandAndByFile: Steps = async ({ all, ours, settle, statuses }) => {
  const [first] = all
  await ours.pay(first)
  await settle()
  await ours.pay(...all)
  await settle()
  expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED'])
  return ['TWICE', 'UNEXPLAINED']
}

/** The file of a batch that was given up is signed, with the units of its old rate. */
const oldFileSigned: Steps = async (payouts) => {
  const { all, ours, batchId, query, stage, statuses, settle } = payouts
  await query(
    "UPDATE batches SET state = 'GIVEN_UP', given_up_by = $2, given_up_at = now(), reason = 'x' WHERE id = $1",
    [batchId, stage.world.staff.id],
  )
  for (const table of ['batch_payouts', 'batch_inputs'])
    await query(`UPDATE ${table} SET is_open = false WHERE batch_id = $1`, [batchId])
  const next = randomUUID()
  await query(
    `INSERT INTO batches (id, network_name, asset, decimals, kind, format, state, payer, dollars, rate_at, file, digest, made_by)
     SELECT $2, network_name, asset, decimals, kind, format, 'READY', payer, 2, now(), '', '', made_by FROM batches WHERE id = $1`,
    [batchId, next],
  )
  await query(
    `INSERT INTO batch_payouts (batch_id, position, withdrawal_id, address, units)
     SELECT $2, position, withdrawal_id, address, units + 7 FROM batch_payouts WHERE batch_id = $1`,
    [batchId, next],
  )
  await query(
    `INSERT INTO batch_inputs (batch_id, network_name, input, address, units)
     SELECT $2, network_name, input, address, units FROM batch_inputs WHERE batch_id = $1`,
    [batchId, next],
  )
  await ours.pay(...all)
  await settle()
  expect(await statuses()).toEqual(['APPROVED', 'APPROVED'])
  // No batch can be made of them any more: they are paid.
  await query(
    "UPDATE batches SET state = 'GIVEN_UP', given_up_by = $2, given_up_at = now(), reason = 'x' WHERE id = $1",
    [next, stage.world.staff.id],
  )
  for (const table of ['batch_payouts', 'batch_inputs'])
    await query(`UPDATE ${table} SET is_open = false WHERE batch_id = $1`, [next])
  return ['GIVEN_BACK', 'GIVEN_BACK']
}

/** A node that stands behind, or on another fork, makes no batch. Its own node does. */
const nodeElsewhere =
  (where: 'behind' | 'on another fork'): Steps =>
  async ({ due, all, ours, stage, settle, follow }) => {
    const { world, chain, coin } = stage
    const { context } = world.product
    const { id } = await due(20)
    const [payer = ''] = ours.addresses
    // Its own coins, so that the node has enough of them.
    await coin.pay({ to: payer, units: stage.units(500) })
    const making = () =>
      makeBatch(context, {
        by: world.staff,
        asked: {
          kind: 'PAYOUT',
          networkName: coin.network,
          coin: coin.coin,
          withdrawalIds: [id],
          loanIds: [],
          format: 'CSV',
          payer,
        },
      })
    const fork = await chain.fork()
    if (where === 'on another fork') await fork.mine(chain.depth + 3)
    await settle()
    const to: Target = fork
    chain.door.set((_, forward) => forward(to))
    await expect(making()).rejects.toMatchObject({ details: { problem: 'nodeNotFine' } })
    chain.door.clear()
    await fork.stop()
    await follow()
    const batch = await making()
    await giveUpBatch(context, { id: batch.id, reason: 'A test', by: world.staff })
    await ours.pay(...all)
    return []
  }

const notBitcoin: Only = ({ network }) => network !== 'Bitcoin'
const isBitcoinKind: Only = ({ network }) => network === 'Bitcoin'
const isEther: Only = ({ coin }) => coin === 'ETH'

export const mishapCases: readonly (readonly [name: string, steps: Steps, only?: Only])[] = [
  ['a price that jumps leaves the batch as it is', priceJumps],
  ['units of a new price wait for staff', paidAtNewPrice],
  ['two higher fees are followed', bumpedTwice, isBitcoinKind],
  ['a sweep to cold storage is no payout', sweptToCold],
  ['a conversion is told, and is in the books', converted, isEther],
  ['a payment by hand beside a batch is explained', paidByHandBeside],
  ['a payment by hand and the file are told', paidByHandAndByFile],
  ['an old file that is signed is told', oldFileSigned],
  ['a node that is behind makes no batch', nodeElsewhere('behind'), notBitcoin],
  ['a node on another fork makes no batch', nodeElsewhere('on another fork'), notBitcoin],
  ['a batch between two forks pays once', madeBetweenForks, isBitcoinKind],
]
