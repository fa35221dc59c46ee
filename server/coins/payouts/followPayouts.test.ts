import { randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import { listAlarms, settleAlarm } from '@pool/contract/coins/payouts'
import { markSent } from '@pool/contract/coins/sending'
import { listNotices } from '@pool/contract/reports/notices'
import { transactionStory } from '@pool/contract/requests/stories'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import { openNode } from '../../chain/nodes/open.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { newAddress } from '../../testing/addresses.ts'
import { hasAnvil } from '../../testing/anvil.ts'
import { expectWhole, letHoursPass } from '../../testing/decisions.ts'
import { stopLooks } from '../../testing/looks.ts'
import { addOwn } from '../../testing/ownCoins.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { actAs, codeOf, investorWith, type Person, person } from '../../testing/product.ts'
import { eventually } from '../../testing/streams.ts'
import { passGuard } from '../../testing/tamper.ts'
import { followPayouts } from './followPayouts.ts'

describe.skipIf(!hasAnvil)('payouts on an EVM network', () => {
  let paid: PaidProduct
  beforeAll(async () => {
    paid = await startPaidProduct()
    await addOwn(paid.product.database, 'Ethereum', paid.anvil.payer)
  })
  afterAll(() => paid?.close())
  beforeEach(async () => {
    await query('UPDATE payout_alarms SET ended_at = now() WHERE ended_at IS NULL')
    await passGuard(
      paid.product.database.superuser,
      'batches',
      "UPDATE batches SET made_at = now() - interval '1 year', state = 'COMPLETED' WHERE state NOT IN ('COMPLETED', 'GIVEN_UP')",
    )
    await query(
      "UPDATE spendings SET changed_at = now() - interval '1 year', seen_at = now() - interval '1 year'",
    )
  })
  afterEach(async () => {
    await expectWhole(paid.product)
    await letHoursPass(paid.product, 25)
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await paid.product.database.superuser.query(text, values)).rows
  const follow = () => {
    const { settings } = paid
    return followPayouts(paid.product.context, { settings, node: openNode(settings) })
  }
  const look = async () => {
    await paid.look()
    return follow()
  }
  /** Makes all blocks final, reads them and follows. */
  const settle = async () => {
    await paid.anvil.ask('anvil_mine', '0x44')
    return look()
  }
  const approved = async (amount = 20) => {
    const { product } = paid
    const investor = await investorWith(product, amount + 30)
    const address = newAddress('Ethereum')
    const { transactionId: id } = await requestWithdrawal(product.context, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(BigInt(amount * 100)),
      destinationAddress: address,
      networkName: 'Ethereum',
    })
    const by = actAs(await person(product, ['ADMIN']))
    await approveWithdrawal(product.context, { transactionId: id, userId: investor.id, by })
    return { id, address, investor, amount }
  }
  type Approved = Awaited<ReturnType<typeof approved>>
  const batch = async (
    withdrawals: readonly Approved[],
    more: { state?: string; age?: string } = {},
  ) => {
    const id = randomUUID()
    await query(
      `INSERT INTO batches (id, network_name, asset, decimals, kind, format, state, payer, dollars, rate_at, file, digest, made_by, made_at)
       VALUES ($1, 'Ethereum', 'USDC', 6, 'PAYOUT', 'CSV', $2, $3, 1, now(), '', '', $4, now() - $5::interval)`,
      [id, more.state ?? 'READY', paid.anvil.payer, paid.admin.id, more.age ?? '0'],
    )
    for (const [position, { id: withdrawal, address, amount }] of withdrawals.entries())
      await query(
        'INSERT INTO batch_payouts (batch_id, position, withdrawal_id, address, units) VALUES ($1, $2, $3, $4, $5)',
        [id, position, withdrawal, address, String(dollars(amount))],
      )
    return id
  }
  const pay = ({ address, amount }: Approved, more = 0) =>
    paid.usdc.send(address, dollars(amount + more))
  const statusOf = async (...withdrawals: readonly Approved[]) => {
    const rows = await query('SELECT id, status FROM transactions WHERE id = ANY ($1)', [
      withdrawals.map(({ id }) => id),
    ])
    return withdrawals.map(({ id }) => rows.find((row) => row.id === id)?.status)
  }
  const stateOf = async (id: string) =>
    (await query('SELECT state FROM batches WHERE id = $1', [id]))[0]?.state
  const alarms = async () =>
    (
      await query(
        'SELECT kind, position FROM payout_alarms WHERE ended_at IS NULL AND settled_at IS NULL ORDER BY kind, position',
      )
    ).map(({ kind, position }) => (position === null ? kind : `${kind} ${position}`))

  test('are seen, then completed by the product', async () => {
    const [ada, bob] = [await approved(), await approved(25)]
    const id = await batch([ada, bob])
    expect(await look()).toEqual({ sent: 0, completed: 0, raised: 0 })
    const transaction = await pay(ada)
    expect(await look()).toEqual({ sent: 1, completed: 0, raised: 0 })
    expect(await statusOf(ada, bob)).toEqual(['PROCESSING', 'APPROVED'])
    expect(await stateOf(id)).toBe('SEEN')
    await pay(bob)
    expect(await settle()).toEqual({ sent: 1, completed: 2, raised: 0 })
    expect(await statusOf(ada, bob)).toEqual(['COMPLETED', 'COMPLETED'])
    expect(await stateOf(id)).toBe('COMPLETED')
    expect(await settle()).toEqual({ sent: 0, completed: 0, raised: 0 })
    expect(await alarms()).toEqual([])
    const { body } = await paid.product.call(transactionStory, {
      token: ada.investor.token,
      params: { id: ada.id },
    })
    expect(body).toMatchObject({
      transaction: { status: 'COMPLETED', sent: { evidence: `${transaction}:0` } },
      coinPayout: {
        network: 'Ethereum',
        asset: 'USDC',
        amount: '20',
        rate: '1',
        payment: { transaction, state: 'CONFIRMED', needed: null },
      },
    })
    expect(body.events.map(({ what, by }) => [what, by.kind])).toEqual([
      ['requested', 'you'],
      ['approved', 'staff'],
      ['sent', 'system'],
      ['completed', 'system'],
    ])
    const { body: notices } = await paid.product.call(listNotices, { token: ada.investor.token })
    expect(JSON.stringify(notices)).toContain('"withdrawal.completed"')
    const entries = await query(
      "SELECT actor, reason FROM audit_entries WHERE subject_id = $1 AND action IN ('withdrawal.sent', 'withdrawal.completed')",
      [ada.id],
    )
    const basis = expect.stringMatching(
      /^20 USDC to 0x\w+ in block \d+ of Ethereum, as batch .* pays$/,
    )
    expect(entries).toEqual([
      { actor: 'system', reason: basis },
      { actor: 'system', reason: basis },
    ])
  })

  test('complete no other withdrawal by the same output', async () => {
    const { product, admin } = paid
    /** An approved withdrawal of the same investor, address and amount. */
    const alike = async ({ investor, address }: Approved): Promise<string> => {
      const { transactionId: id } = await requestWithdrawal(product.context, {
        by: { id: investor.id, from: 'tests' },
        amount: cents(2_000n),
        destinationAddress: address,
        networkName: 'Ethereum',
      })
      const by = actAs(await person(product, ['ADMIN']))
      await approveWithdrawal(product.context, { transactionId: id, userId: investor.id, by })
      return id
    }
    const mark = (id: string, transaction: string) =>
      product.call(markSent, {
        token: admin.token,
        params: { id },
        payload: { networkName: 'Ethereum', evidence: `${transaction}:0` },
      })
    const [ada, bob] = [await approved(), await approved()]
    // Staff mark it for the other withdrawal before it is seen.
    const beside = await alike(ada)
    await batch([ada])
    expect((await mark(beside, await pay(ada))).status).toBe(200)
    expect(await settle()).toEqual({ sent: 0, completed: 1, raised: 0 })
    expect(await statusOf(ada)).toEqual(['APPROVED'])
    // And the other way round.
    const later = await alike(bob)
    await batch([bob])
    const transaction = await pay(bob)
    expect(await settle()).toMatchObject({ completed: 1 })
    expect(codeOf(await mark(later, transaction))).toBe('evidenceOutputPaid')
  })

  test('of less or more wait for a person', async () => {
    const [ada, bob] = [await approved(), await approved()]
    const id = await batch([ada, bob])
    await pay(ada, -1)
    await pay(bob, 1)
    expect(await settle()).toEqual({ sent: 0, completed: 0, raised: 3 })
    expect(await alarms()).toEqual(['MORE 1', 'SHORT 0', 'UNEXPLAINED'])
    expect(await statusOf(ada, bob)).toEqual(['APPROVED', 'APPROVED'])
    expect(await stateOf(id)).toBe('READY')
  })

  test('paid twice are told once and complete once', async () => {
    const ada = await approved()
    await batch([ada])
    await pay(ada)
    await pay(ada)
    expect(await settle()).toEqual({ sent: 1, completed: 1, raised: 2 })
    expect(await settle()).toEqual({ sent: 0, completed: 0, raised: 0 })
    expect(await alarms()).toEqual(['TWICE 0', 'UNEXPLAINED'])
    expect(await statusOf(ada)).toEqual(['COMPLETED'])
  })

  test('without a batch are told to all staff', async () => {
    const { product, usdc, admin } = paid
    const stranger = newAddress('Ethereum')
    const transaction = await usdc.send(stranger, dollars(5))
    const cold = newAddress('Ethereum')
    await addOwn(product.database, 'Ethereum', cold, 'COLD')
    await usdc.send(cold, dollars(9))
    await paid.look()
    const listener = await product.database.superuser.connect()
    onTestFinished(() => listener.release(true))
    const told: unknown[] = []
    listener.on('notification', ({ payload }) => told.push(payload))
    await listener.query('LISTEN changes')
    expect(await follow()).toMatchObject({ raised: 1 })
    // The page of staff was read when the payment came, before its alarm.
    await eventually(() => expect(told).toContain('[[null,"payment"]]'))
    const { body } = await product.call(listAlarms, { token: admin.token })
    const [alarm] = body
    expect(alarm).toMatchObject({
      kind: 'UNEXPLAINED',
      network: 'Ethereum',
      batchId: null,
      transaction,
      state: 'SEEN',
      sent: [{ address: stranger, amount: '5', asset: 'USDC' }],
      settledBy: null,
    })
    const { body: notices } = await product.call(listNotices, { token: admin.token })
    expect(JSON.stringify(notices)).toContain('"alarm.raised"')
    const settleIt = ({ token }: Person) =>
      product.call(settleAlarm, {
        token,
        params: { id: alarm?.id ?? '' },
        payload: { reason: 'A fee of the bank' },
      })
    expect(codeOf(await settleIt(admin))).toBe('alarmNeedsTwo')
    await settle()
    expect(await alarms()).toEqual(['UNEXPLAINED'])
  })

  test('that went wrong are settled with a reason', async () => {
    const { product, admin } = paid
    const ada = await approved()
    await batch([ada])
    await pay(ada, -1)
    await settle()
    const [alarm] = (await product.call(listAlarms, { token: admin.token })).body
    const settleIt = (reason: string) =>
      product.call(settleAlarm, {
        token: admin.token,
        params: { id: alarm?.id ?? '' },
        payload: { reason },
      })
    expect((await settleIt(' ')).status).toBe(400)
    expect((await settleIt('Paid the rest')).status).toBe(200)
    expect(codeOf(await settleIt('Again'))).toBe('alarmSettled')
    expect(await settle()).toMatchObject({ raised: 0 })
    expect(await alarms()).toEqual([])
    await expect(
      product.database.pool.query('UPDATE payout_alarms SET reason = $1 WHERE id = $2', [
        'Another',
        alarm?.id,
      ]),
    ).rejects.toThrow(/not allowed/)
  })

  test('that nobody paid for a day are late', async () => {
    const ada = await approved()
    await batch([ada], { age: '25 hours' })
    expect(await look()).toMatchObject({ raised: 1 })
    expect(await alarms()).toEqual(['LATE'])
    await pay(ada)
    expect(await settle()).toEqual({ sent: 1, completed: 1, raised: 0 })
    expect(await alarms()).toEqual([])
  })

  test('of a batch that was given up are told', async () => {
    const ada = await approved()
    const id = await batch([ada])
    await query(
      `UPDATE batches SET state = 'GIVEN_UP', given_up_by = $2, given_up_at = now() WHERE id = $1`,
      [id, paid.admin.id],
    )
    await query('UPDATE batch_payouts SET is_open = false WHERE batch_id = $1', [id])
    await pay(ada)
    expect(await settle()).toEqual({ sent: 0, completed: 0, raised: 1 })
    expect(await alarms()).toEqual(['GIVEN_BACK 0'])
    expect(await statusOf(ada)).toEqual(['APPROVED'])
  })

  test.each([1, 3, 6])('stay sent after a reorganisation %i deep', async (depth) => {
    const ada = await approved()
    await batch([ada])
    await pay(ada)
    for (let mined = 1; mined < depth; mined += 1) await paid.anvil.ask('anvil_mine', '0x1')
    await look()
    await paid.reorganise(depth)
    expect(await follow()).toEqual({ sent: 0, completed: 0, raised: 0 })
    expect(await statusOf(ada)).toEqual(['PROCESSING'])
    expect(
      await query('SELECT transaction_id FROM batch_payouts WHERE withdrawal_id = $1', [ada.id]),
    ).toEqual([{ transaction_id: null }])
    // Signed again, with another fee.
    const again = await pay(ada)
    expect(await settle()).toEqual({ sent: 0, completed: 1, raised: 0 })
    expect(
      await query('SELECT sent_evidence, sent_by FROM transactions WHERE id = $1', [ada.id]),
    ).toEqual([{ sent_evidence: again, sent_by: null }])
  })

  test('that the chain lost after completion are told', async () => {
    const ada = await approved()
    await batch([ada])
    await pay(ada)
    // Final at once, so that the chain can take it back.
    await look()
    await query(
      "UPDATE spendings SET state = 'CONFIRMED', confirmed_at = now() WHERE state = 'SEEN'",
    )
    const { settings } = paid
    const node = openNode(settings)
    const final = {
      ...node,
      head: async () => {
        const head = await node.head()
        return { ...head, finalHeight: head.height }
      },
    }
    expect(await followPayouts(paid.product.context, { settings, node: final })).toMatchObject({
      completed: 1,
    })
    await paid.reorganise(1)
    expect(await follow()).toMatchObject({ completed: 0, raised: 1 })
    expect(await alarms()).toEqual(['REORGANISED 0'])
    expect(await statusOf(ada)).toEqual(['COMPLETED'])
    await pay(ada)
    await settle()
    expect(await alarms()).toEqual([])
  })

  test('complete once by many followers at a time', async () => {
    const all = [await approved(), await approved(), await approved()]
    const id = await batch(all)
    for (const each of all) await pay(each)
    await paid.anvil.ask('anvil_mine', '0x44')
    await paid.look()
    const done = await Promise.all(Array.from({ length: 4 }, follow))
    expect(await statusOf(...all)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED'])
    const sum = (name: 'sent' | 'completed') => done.reduce((total, each) => total + each[name], 0)
    expect(sum('sent')).toBe(3)
    await follow()
    expect(await stateOf(id)).toBe('COMPLETED')
    const moved = await query(
      "SELECT count(*)::int FROM movements WHERE name = 'withdrawal_completed' AND reference_id = ANY ($1)",
      [all.map((each) => each.id)],
    )
    expect(moved).toEqual([{ count: 3 }])
  })

  test('wait for a fine node that shows them', async () => {
    const ada = await approved()
    await batch([ada])
    await pay(ada)
    await paid.anvil.ask('anvil_mine', '0x44')
    await paid.look()
    await query("UPDATE chains SET state = 'STUCK'")
    expect(await follow()).toEqual({ sent: 0, completed: 0, raised: 0 })
    await query("UPDATE chains SET state = 'FINE'")
    await stopLooks(paid.product.database)
    expect(await follow()).toEqual({ sent: 0, completed: 0, raised: 0 })
    await paid.look()
    // A row alone proves nothing.
    const { settings } = paid
    const node = openNode(settings)
    const blind = { ...node, block: async () => undefined }
    expect(await followPayouts(paid.product.context, { settings, node: blind })).toMatchObject({
      sent: 1,
      completed: 0,
    })
    expect(await follow()).toMatchObject({ completed: 1 })
  })

  test('are not marked by any writer without the chain', async () => {
    const ada = await approved()
    await batch([ada])
    await expect(
      paid.product.database.pool.query(
        `UPDATE transactions SET status = 'PROCESSING', sent_at = now(), sent_basis = 'x', sent_network = 'Ethereum', sent_evidence = '0x1' WHERE id = $1`,
        [ada.id],
      ),
    ).rejects.toThrow('has no payout on the chain')
  })
})
