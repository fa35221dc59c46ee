import { randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { BitcoinSettings } from '../../base/configuration/chainsFile.ts'
import { openNode } from '../../chain/nodes/open.ts'
import { pollNode } from '../../chain/nodes/states.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { newAddress } from '../../testing/addresses.ts'
import { expectWhole, letHoursPass } from '../../testing/decisions.ts'
import {
  hasLitecoind,
  LITECOIN_REGTEST,
  type Litecoind,
  startLitecoind,
} from '../../testing/litecoind.ts'
import { addOwn, nodeAddress, type Output, outputTo, spend } from '../../testing/ownCoins.ts'
import { actAs, investorWith, person, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { giveUpBatch } from '../batches/giveUpBatch.ts'
import { followPayouts } from './followPayouts.ts'
import { settleAlarm } from './settleAlarm.ts'

const product = testProduct()
const query = async (text: string, values: unknown[] = []) =>
  (await product.database.superuser.query(text, values)).rows

describe.skipIf(!hasLitecoind)('payouts on a Bitcoin network', () => {
  let daemon: Litecoind
  let settings: BitcoinSettings
  beforeAll(async () => {
    daemon = await startLitecoind()
    const { url, credentialsFile } = daemon
    settings = {
      network: 'Bitcoin',
      kind: 'bitcoin',
      url,
      credentialsFile,
      pollSeconds: 1,
      genesis: LITECOIN_REGTEST,
      confirmations: 2,
      smallUpTo: 0,
      stuckAfterMinutes: 120,
    }
  })
  afterAll(() => daemon?.stop())
  afterEach(async () => {
    await expectWhole(product)
    await letHoursPass(product, 25)
  })

  const look = async () => {
    const node = openNode(settings)
    const { config: pricing, keys } = product.context
    const followed = { settings, node, pricing, keys, receivers: new Map() }
    expect(await pollNode(product.context.db, followed)).toMatchObject({ state: 'FINE' })
    return followPayouts(product.context, { settings, node })
  }
  const approved = async () => {
    const investor = await investorWith(product, 50)
    const address = newAddress()
    const { transactionId: id } = await requestWithdrawal(product.context, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(20_00n),
      destinationAddress: address,
      networkName: 'Bitcoin',
    })
    const by = actAs(await person(product, ['ADMIN']))
    await approveWithdrawal(product.context, { transactionId: id, userId: investor.id, by })
    return { id, address }
  }
  type Approved = Awaited<ReturnType<typeof approved>>
  /** A batch that pays 0.1 coins to each, from an output of ours. */
  const batched = async (withdrawals: readonly Approved[]) => {
    const [ours, change] = [
      await nodeAddress(daemon),
      await nodeAddress(daemon, 'getrawchangeaddress'),
    ]
    for (const address of [ours, change]) await addOwn(product.database, 'Bitcoin', address)
    const coins = await outputTo(daemon, await daemon.pay(ours, '0.5'), ours)
    await daemon.ask('lockunspent', false, [coins])
    await daemon.mine()
    const id = randomUUID()
    const { id: maker } = await person(product, ['ADMIN'])
    await query(
      `INSERT INTO batches (id, network_name, asset, decimals, kind, format, state, dollars, rate_at, file, digest, made_by)
       VALUES ($1, 'Bitcoin', 'BTC', 8, 'PAYOUT', 'PSBT', 'READY', 200, now(), '', '', $2)`,
      [id, maker],
    )
    await query(
      `INSERT INTO batch_inputs (batch_id, network_name, input, address, units) VALUES ($1, 'Bitcoin', $2, $3, 50000000)`,
      [id, `${coins.txid}:${coins.vout}`, ours],
    )
    for (const [position, { id: withdrawal, address }] of withdrawals.entries())
      await query(
        'INSERT INTO batch_payouts (batch_id, position, withdrawal_id, address, units) VALUES ($1, $2, $3, $4, 10000000)',
        [id, position, withdrawal, address],
      )
    await look()
    const to = Object.fromEntries(withdrawals.map(({ address }) => [address, '0.1']))
    return { id, from: [coins] as Output[], to, change }
  }
  const rowOf = async ({ id }: Approved) =>
    (await query('SELECT status, sent_evidence FROM transactions WHERE id = $1', [id]))[0]
  const alarms = async () =>
    (await query('SELECT kind FROM payout_alarms WHERE ended_at IS NULL ORDER BY kind')).map(
      ({ kind }) => kind,
    )

  test('are followed to the transaction with a higher fee', async () => {
    const [ada, bob] = [await approved(), await approved()]
    const { id, ...file } = await batched([ada, bob])
    const first = await spend(daemon, file)
    expect(await look()).toEqual({ sent: 2, completed: 0, raised: 0 })
    expect(await rowOf(ada)).toEqual({ status: 'PROCESSING', sent_evidence: first })
    const { txid } = await daemon.ask<{ txid: string }>('bumpfee', first)
    expect(await look()).toEqual({ sent: 0, completed: 0, raised: 0 })
    const payouts = await query(
      'SELECT DISTINCT transaction_id FROM batch_payouts WHERE batch_id = $1',
      [id],
    )
    expect(payouts).toEqual([{ transaction_id: txid }])
    await daemon.mine()
    expect(await look()).toEqual({ sent: 0, completed: 0, raised: 0 })
    // The node itself is asked how deep it is: a row that says so completes nothing.
    const believe = (state: string) =>
      tamper(
        product.database,
        `UPDATE spendings SET state = '${state}', confirmed_at = NULL WHERE transaction_id = '${txid}'`,
      )
    await believe('CONFIRMED')
    expect(
      (await followPayouts(product.context, { settings, node: openNode(settings) })).completed,
    ).toBe(0)
    await believe('SEEN')
    await daemon.mine()
    expect(await look()).toEqual({ sent: 0, completed: 2, raised: 0 })
    expect(await rowOf(bob)).toEqual({ status: 'COMPLETED', sent_evidence: txid })
    expect(
      await query('SELECT state, completed_at IS NULL AS open FROM batches WHERE id = $1', [id]),
    ).toEqual([{ state: 'COMPLETED', open: false }])
    expect(await query('SELECT state FROM spendings ORDER BY state')).toEqual([
      { state: 'CONFIRMED' },
      { state: 'REPLACED' },
    ])
  })

  test('of the inputs of a batch to another are told', async () => {
    const ada = await approved()
    const { from, change } = await batched([ada])
    await spend(daemon, { from, change, to: { [newAddress()]: '0.1' } })
    expect(await look()).toEqual({ sent: 0, completed: 0, raised: 2 })
    expect(await alarms()).toEqual(['OTHER', 'UNEXPLAINED'])
    expect(await rowOf(ada)).toMatchObject({ status: 'APPROVED' })
    await query('UPDATE payout_alarms SET ended_at = now()')
    await daemon.mine(2)
  })

  test('of other units leave a dead file to give up', async () => {
    const ada = await approved()
    const { id, from, change } = await batched([ada])
    await spend(daemon, { from, change, to: { [ada.address]: '0.09' } })
    await daemon.mine(2)
    expect(await look()).toEqual({ sent: 0, completed: 0, raised: 1 })
    const [alarm] = await query('SELECT id, kind FROM payout_alarms WHERE batch_id = $1', [id])
    expect(alarm?.kind).toBe('SHORT')
    const [one, other] = [await person(product, ['ADMIN']), await person(product, ['ADMIN'])]
    const context = {
      ...product.context,
      config: { ...product.context.config, chains: [settings] },
    }
    const reason = 'Sent too little'
    const giveUp = () => giveUpBatch(context, { id, reason, by: actAs(other) })
    await expect(giveUp()).rejects.toMatchObject({ code: 'batchOnChain' })
    await settleAlarm(context, { id: alarm?.id, reason, by: actAs(one) })
    await giveUp()
    expect(await rowOf(ada)).toMatchObject({ status: 'APPROVED' })
    expect(await query('SELECT state FROM batches WHERE id = $1', [id])).toEqual([
      { state: 'GIVEN_UP' },
    ])
  })

  test('that a reorganisation takes wait to be seen again', async () => {
    await query('UPDATE payout_alarms SET ended_at = now()')
    const ada = await approved()
    const { id, ...file } = await batched([ada])
    await spend(daemon, file)
    const [block] = await daemon.mine(2)
    await look()
    expect(await rowOf(ada)).toMatchObject({ status: 'COMPLETED' })
    await daemon.ask('invalidateblock', block)
    const fork = await daemon.mineEmpty(3)
    await look()
    expect(await alarms()).toContain('REORGANISED')
    expect(await rowOf(ada)).toMatchObject({ status: 'COMPLETED' })
    await daemon.ask('invalidateblock', fork[0])
    await daemon.ask('reconsiderblock', block)
    await daemon.mine(2)
    await vi.waitFor(async () => {
      await look()
      expect(await alarms()).not.toContain('REORGANISED')
    })
    expect(await query('SELECT state FROM batches WHERE id = $1', [id])).toEqual([
      { state: 'COMPLETED' },
    ])
  })

  test('that staff marked elsewhere wait for a person', async () => {
    const ada = await approved()
    const { id: _, ...file } = await batched([ada])
    const transaction = await spend(daemon, file)
    await look()
    const by = await person(product, ['ADMIN'])
    const mark = (evidence: string, staff: string) =>
      tamper(
        product.database,
        `UPDATE transactions SET sent_by = ${staff}, sent_evidence = '${evidence}' WHERE id = '${ada.id}'`,
      )
    await mark('f'.repeat(64), `'${by.id}'`)
    await daemon.mine(2)
    expect((await look()).completed).toBe(0)
    await mark(transaction, 'NULL')
    expect((await look()).completed).toBe(1)
    await query('UPDATE payout_alarms SET ended_at = now()')
  })
})
