/** Ways in which withdrawals are paid. A case names the alarms that staff see of it. */
import { randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import { expect } from 'vitest'
import { approveWithdrawal } from '../server/requests/transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../server/requests/transactions/requestWithdrawal.ts'
import { newAddress } from '../server/testing/addresses.ts'
import { expectWhole, letHoursPass } from '../server/testing/decisions.ts'
import { addOwn } from '../server/testing/ownCoins.ts'
import { investorWith } from '../server/testing/product.ts'
import { passGuard } from '../server/testing/tamper.ts'
import type { Only, Stage } from './chainCases.ts'
import type { OurCoins } from './playChain.ts'

/** The coins that a withdrawal is due, for a payee of its own. */
type Due = { readonly id: string; readonly to: string; readonly units: bigint }

/** A stage with two approved withdrawals in a batch, and the coins that pay it. */
export const openPayouts = async (stage: Stage) => {
  // Long: one setting from deposit to batch, and short questions about its rows.
  const { world, coin, chain, follower, look, units } = stage
  const { product, staff } = world
  const query = async (text: string, values: readonly unknown[] = []) =>
    (await product.database.superuser.query(text, [...values])).rows
  const past = (table: string, text: string, values: readonly unknown[]) =>
    passGuard(product.database.superuser, table, text, values)
  await letHoursPass(product, 25)

  const due = async (dollars: number): Promise<Due> => {
    const investor = await investorWith(product, 200)
    const to = newAddress(coin.network)
    const { transactionId: id } = await requestWithdrawal(product.context, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(BigInt(dollars * 100)),
      destinationAddress: to,
      networkName: coin.network,
    })
    const decided = { transactionId: id, userId: investor.id, by: staff }
    await approveWithdrawal(product.context, decided)
    return { id, to, units: units(dollars) }
  }
  /** Alarms of the cases before. */
  const before = (await query('SELECT id FROM payout_alarms')).map(({ id }) => id)
  const all = [await due(30), await due(45)] as const
  const ours: OurCoins = await coin.ours(units(200))
  for (const address of ours.addresses) {
    const known = await query('SELECT FROM own_addresses WHERE address = $1', [address])
    if (known.length === 0) await addOwn(product.database, coin.network, address)
  }
  if (chain.network === 'Bitcoin') await look()
  const batchId = randomUUID()
  await query(
    `INSERT INTO batches (id, network_name, asset, decimals, kind, format, state, payer, dollars, rate_at, file, digest, made_by)
     VALUES ($1, $2, $3, $4, 'PAYOUT', $5, 'READY', $6, 1, now(), '', '', $7)`,
    [
      batchId,
      coin.network,
      coin.coin,
      coin.decimals,
      ...(ours.inputs.length > 0 ? ['PSBT', null] : ['CSV', ours.addresses[0]]),
      staff.id,
    ],
  )
  for (const { input, units } of ours.inputs)
    await query(
      'INSERT INTO batch_inputs (batch_id, network_name, input, address, units) VALUES ($1, $2, $3, $4, $5)',
      [batchId, coin.network, input, ours.addresses[0], String(units)],
    )
  for (const [position, { id, to, units }] of all.entries())
    await query(
      'INSERT INTO batch_payouts (batch_id, position, withdrawal_id, address, units) VALUES ($1, $2, $3, $4, $5)',
      [batchId, position, id, to, String(units)],
    )

  const payouts = {
    stage,
    all,
    ours,
    due,
    batchId,
    query,
    past,
    /** Reads the chain and follows. */
    follow: async () => {
      await look()
      await follower.payOut(chain)
    },
    settle: async () => {
      await chain.mine(chain.depth)
      await payouts.follow()
      await payouts.follow()
    },
    statuses: async () => {
      const found = await query('SELECT id, status FROM transactions WHERE id = ANY ($1)', [
        all.map(({ id }) => id),
      ])
      return all.map(({ id }) => found.find((each) => each.id === id)?.status as string)
    },
    alarms: async (): Promise<string[]> =>
      (
        await query(
          `SELECT kind FROM payout_alarms WHERE ended_at IS NULL AND id <> ALL ($1)
           AND (batch_id = $2 OR batch_id IS NULL) ORDER BY kind`,
          [before, batchId],
        )
      ).map(({ kind }) => kind),
    batchState: async () =>
      (await query('SELECT state FROM batches WHERE id = $1', [batchId]))[0]?.state,
  }
  return payouts
}
export type Payouts = Awaited<ReturnType<typeof openPayouts>>

/** Pays and judges. Returns the alarms that are open in the end. */
export type Steps = (payouts: Payouts) => Promise<readonly string[]>

/**
 * Compares withdrawals with what the node's best chain pays their payees, deep enough: completed
 * once if it pays exactly that, and else not completed, or told as reorganised.
 */
const differences = async ({ stage, all, alarms, query }: Payouts): Promise<string[]> => {
  const outputs = await stage.chain.confirmed(all.map(({ to }) => to))
  const open = await alarms()
  const found: string[] = []
  for (const { id, to, units } of all) {
    const exact = outputs.filter((each) => each.to === to && each.units === units)
    const [row] = await query(
      `SELECT status, sent_evidence || coalesce(':' || sent_output, '') AS evidence, (SELECT count(*)::int FROM movements WHERE reference_id = t.id AND name = 'withdrawal_completed') AS times
       FROM transactions AS t WHERE id = $1`,
      [id],
    )
    const isCompleted = row?.status === 'COMPLETED'
    if (row?.times !== (isCompleted ? 1 : 0)) found.push(`${id}: completed ${row?.times} times`)
    if (isCompleted && exact.length === 0 && !open.includes('REORGANISED'))
      found.push(`${id}: completed, and the node has no payment`)
    if (!isCompleted && exact.length > 0 && !open.includes('GIVEN_BACK'))
      found.push(`${id}: paid, and ${row?.status}`)
    if (exact.length > 1 && !open.includes('TWICE')) found.push(`${id}: paid twice, untold`)
    if (isCompleted && exact.length > 0 && !exact.some(({ key }) => key === row?.evidence))
      found.push(`${id}: rests on ${row?.evidence}, which pays something else`)
  }
  return found
}

export const judge = async (payouts: Payouts, expected: readonly string[]): Promise<void> => {
  await payouts.settle()
  expect(await differences(payouts)).toEqual([])
  expect(await payouts.alarms()).toEqual(expected)
  await expectWhole(payouts.stage.world.product)
}

const exact: Steps = async ({ all, ours, follow, statuses, settle, batchState, stage }) => {
  await ours.pay(...all)
  if (stage.chain.network !== 'Bitcoin') await stage.chain.mine()
  await follow()
  expect(await statuses()).toEqual(['PROCESSING', 'PROCESSING'])
  expect(await batchState()).toBe('SEEN')
  await settle()
  expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED'])
  expect(await batchState()).toBe('COMPLETED')
  return []
}

/** Bitcoin's is replaced in the pool. An EVM network's was in a block, which has gone. */
const bumped: Steps = async ({ all: [first, second], ours, follow, statuses, stage }) => {
  const isBitcoin = stage.chain.network === 'Bitcoin'
  if (!isBitcoin) {
    await ours.pay(second)
    await stage.chain.mine()
  }
  const [id = ''] = await ours.pay(...(isBitcoin ? [first, second] : [first]))
  if (!isBitcoin) await stage.chain.mine()
  await follow()
  expect(await statuses()).toEqual(['PROCESSING', 'PROCESSING'])
  await ours.bump(id, first)
  await follow()
  expect(await statuses()).toEqual(['PROCESSING', 'PROCESSING'])
  return []
}

const short: Steps = async ({ all: [first, second], ours }) => {
  await ours.pay({ ...first, units: first.units - 1n }, second)
  return ['SHORT']
}

const twice: Steps = async ({ all, ours, settle }) => {
  await ours.pay(...all)
  await settle()
  await ours.pay(all[0])
  return ['TWICE', 'UNEXPLAINED']
}

const otherPayee: Steps = async ({ all: [first, second], ours, stage, statuses, settle }) => {
  await ours.pay(first, { to: newAddress(stage.coin.network), units: second.units })
  await settle()
  expect(await statuses()).toEqual(['COMPLETED', 'APPROVED'])
  // A transaction of an EVM network's plain key pays one payee, so the other one has no batch.
  return stage.chain.network === 'Bitcoin' ? ['OTHER', 'UNEXPLAINED'] : ['UNEXPLAINED']
}

const late: Steps = async ({ past, batchId, settle, alarms, all, ours }) => {
  const earlier = "UPDATE batches SET made_at = now() - interval '25 hours' WHERE id = $1"
  await past('batches', earlier, [batchId])
  await settle()
  expect(await alarms()).toEqual(['LATE'])
  await ours.pay(...all)
  return []
}

const unexplained: Steps = async ({ past, batchId, all, ours, stage }) => {
  await past('batch_inputs', 'DELETE FROM batch_inputs WHERE batch_id = $1', [batchId])
  await ours.pay({ to: newAddress(stage.coin.network), units: stage.units(11) })
  await stage.chain.mine()
  await ours.pay(...all)
  return ['UNEXPLAINED']
}

const reorganised =
  (depth: number): Steps =>
  async ({ all, ours, stage, follow, statuses }) => {
    const ids = await ours.pay(...all)
    await stage.chain.mine(depth)
    await follow()
    await stage.chain.reorganise(depth, ids)
    await follow()
    expect(await statuses()).toEqual(['PROCESSING', 'PROCESSING'])
    return []
  }

const lost: Steps = async ({ all, ours, stage, follow, settle, statuses }) => {
  const ids = await ours.pay(...all)
  await stage.chain.mine()
  await follow()
  await stage.chain.reorganise(1, [])
  await follow()
  expect(await statuses()).toEqual(['PROCESSING', 'PROCESSING'])
  await settle()
  // A Bitcoin node has them in its pool, and they come again. Signed once more on others.
  if (stage.chain.network !== 'Bitcoin') await ours.pay(...all)
  expect(ids.length).toBeGreaterThan(0)
  return []
}

const goneAfterCompletion: Steps = async ({ all, ours, stage, settle, statuses, follow }) => {
  const ids = await ours.pay(...all)
  await settle()
  expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED'])
  await stage.chain.reorganise(stage.chain.depth, [])
  if (stage.chain.network === 'Bitcoin') await stage.coin.outbid(ids[0] ?? '')
  await follow()
  expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED'])
  const isBitcoin = stage.chain.network === 'Bitcoin'
  return ['REORGANISED', 'REORGANISED', ...(isBitcoin ? ['UNEXPLAINED'] : [])]
}

/** A process that looks and one that comes back, both at once. */
const manyFollowers: Steps = async ({ all, ours, stage, follow }) => {
  await ours.pay(...all)
  const others = [stage.world.openFollower(), stage.world.openFollower()]
  await stage.chain.mine(stage.chain.depth)
  await follow()
  await Promise.all(others.map((each) => each.payOut(stage.chain)))
  await Promise.all(others.map((each) => each.look(stage.chain)))
  return []
}

export const payoutCases: readonly (readonly [name: string, steps: Steps, only?: Only])[] = [
  ['what the batch says is completed', exact],
  ['a higher fee is followed', bumped],
  ['less than the batch says waits for staff', short],
  ['a second payment is told', twice],
  ['another payee is told', otherPayee],
  ['a batch that waits for a day is told', late],
  ['coins without a batch are told', unexplained],
  ['a reorganisation 1 deep completes once', reorganised(1)],
  ['a reorganisation 3 deep completes once', reorganised(3)],
  ['a reorganisation 6 deep completes once', reorganised(6)],
  ['a payment that the chain lost is paid again', lost],
  ['a completed payment that is gone is told', goneAfterCompletion],
  ['many followers complete once', manyFollowers],
]
