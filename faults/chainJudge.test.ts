import { type Cents, cents } from '@pool/contract/base/money'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { confirmDeposit } from '../server/requests/transactions/confirmDeposit.ts'
import { hasAnvil } from '../server/testing/anvil.ts'
import type { Stage } from './chainCases.ts'
import { differences } from './chainJudge.ts'
import { playNetworks, startNetwork } from './chainNetworks.ts'
import type { Investor } from './chainWorld.ts'

/** A sandbox lets staff confirm what no node shows, which makes the wrong credits. */
describe.skipIf(!hasAnvil)('the judge of credits', () => {
  let network: Awaited<ReturnType<typeof startNetwork>>
  let stage: Stage
  beforeAll(async () => {
    const [ethereum] = playNetworks
    if (!ethereum) throw new Error('There is no network')
    network = await startNetwork(ethereum)
    stage = network.stageOf('USDC')
  })
  afterAll(() => network?.close())

  /** Differences of one investor. */
  const judged = async ({ address }: Investor) =>
    (await differences(stage.world, stage.chain))
      .filter((each) => each.includes(address))
      .map((each) => each.replaceAll(address, 'it'))
  const confirm = (transactionId: string, evidence: string, receivedAmount: Cents) =>
    confirmDeposit(stage.world.product.context, {
      transactionId,
      evidence,
      receivedAmount,
      by: stage.world.staff,
    })

  test('names nothing while credits are what came', async () => {
    const { investor, pay, settle } = stage
    const one = await investor(60)
    await pay(one, 60)
    await settle()
    expect(await judged(one)).toEqual([])
  })

  test('names a payment without a credit', async () => {
    const { chain, investor, pay } = stage
    const one = await investor(60)
    const id = await pay(one, 60)
    await chain.mine(chain.depth)
    expect(await judged(one)).toEqual([
      `${id}:0 to it: 0 credits of 0 cents, and 6000 are due`,
      'it: 0 cents to spend, and 6000 are due',
    ])
  })

  test('names a credit of a cent too much', async () => {
    const { investor, pay, settle } = stage
    const one = await investor(60)
    const id = await pay(one, 60)
    await confirm(one.id, `${id}:0`, cents(60_01n))
    await settle()
    expect(await judged(one)).toEqual([
      `${id}:0 to it: 1 credits of 6001 cents, and 6000 are due`,
      'it: 6001 cents to spend, and 6000 are due',
    ])
  })

  test('names a credit before its payment is deep', async () => {
    const { chain, investor, pay } = stage
    const one = await investor(60)
    const id = await pay(one, 60)
    await chain.mine(chain.depth - 1)
    await confirm(one.id, `${id}:0`, cents(60_00n))
    expect(await judged(one)).toEqual([
      `${id}:0 to it: 6000 cents that the node lacks`,
      'it: 6000 cents to spend, and 0 are due',
    ])
  })

  test('names an output that was credited twice', async () => {
    const { world, coin, investor, pay, settle } = stage
    const { superuser } = world.product.database
    const one = await investor(60)
    const id = await pay(one, 60)
    await settle()
    const { transactionId } = await world.ask(one.owner, coin, 60)
    await confirm(transactionId, `${id}:7`, cents(60_00n))
    expect(await judged(one)).toEqual([
      `${id}:7 to it: 6000 cents that the node lacks`,
      'it: 12000 cents to spend, and 6000 are due',
    ])
    await superuser.query(`ALTER TABLE transactions DISABLE TRIGGER USER;
      DROP INDEX transactions_evidence_once;
      UPDATE transactions SET evidence_output = 0 WHERE id = '${transactionId}'`)
    expect(await judged(one)).toEqual([
      `${id}:0 to it: 2 credits of 12000 cents, and 6000 are due`,
      'it: 12000 cents to spend, and 6000 are due',
    ])
  })
})
