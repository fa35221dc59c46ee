import { randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import { batchFile, giveUpBatch, makeBatch } from '@pool/contract/coins/batches'
import { listAlarms, settleAlarm } from '@pool/contract/coins/payouts'
import { markCompleted, markSent } from '@pool/contract/coins/sending'
import { askRelease, askSending } from '@pool/contract/lending/loans'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openNode } from '../../chain/nodes/open.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { newAddress } from '../../testing/addresses.ts'
import { hasAnvil } from '../../testing/anvil.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { followAndLend } from '../../testing/followAndLend.ts'
import { expectCustody, joinPeople, openDesk } from '../../testing/loanDesk.ts'
import { addOwn } from '../../testing/ownCoins.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { actAs, codeOf, investorWith, type Person, person } from '../../testing/product.ts'
import { sendable } from '../../testing/sendingDesk.ts'
import { postCoins } from '../custody/postCoins.ts'

describe.skipIf(!hasAnvil)('a batch that pays other units', () => {
  let paid: PaidProduct
  beforeAll(async () => {
    paid = await startPaidProduct()
    await addOwn(paid.product.database, 'Ethereum', paid.anvil.payer)
    await contributeCapital(paid.product.context, {
      amount: cents(10_000_00n),
      note: 'For loans',
      contributedBy: 'tests',
    })
  })
  afterAll(() => paid?.close())

  /** A withdrawal and a loan of $200 that a batch is to pay. */
  const batched = async () => {
    // Long: one setting from loan to batch, which the tests of the file share.
    const { product, admin } = paid
    const second = await person(product, ['ADMIN'])
    const desk = openDesk(product, admin, second)
    const loan = await desk.approved({ ...sendable(), amount: 200 })
    const address = newAddress('Ethereum')
    const asked = await product.call(askSending, {
      token: admin.token,
      params: { id: loan },
      payload: { networkName: 'Ethereum', address },
    })
    await desk.agree(asked.body.proposalId)
    const investor = await investorWith(product, 300)
    const to = newAddress('Ethereum')
    const { transactionId: withdrawal } = await requestWithdrawal(product.context, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(200_00n),
      destinationAddress: to,
      networkName: 'Ethereum',
    })
    const by = actAs(second)
    await approveWithdrawal(product.context, {
      transactionId: withdrawal,
      userId: investor.id,
      by,
    })
    const batchId = randomUUID()
    await desk.rows(
      `INSERT INTO batches (id, network_name, asset, decimals, kind, format, state, payer, dollars, rate_at, file, digest, made_by)
       VALUES ($1, 'Ethereum', 'USDC', 6, 'PAYOUT', 'CSV', 'READY', $2, 1, now(), '', '', $3)`,
      batchId,
      paid.anvil.payer,
      admin.id,
    )
    await desk.rows(
      `INSERT INTO batch_payouts (batch_id, position, withdrawal_id, address, units) VALUES ($1, 0, $2, $3, $4)`,
      batchId,
      withdrawal,
      to,
      String(dollars(200)),
    )
    await desk.rows(
      `INSERT INTO batch_payouts (batch_id, position, sending_id, address, units)
       SELECT $1, 1, id, address, $2 FROM loan_sendings WHERE loan_id = $3`,
      batchId,
      String(dollars(200)),
      loan,
    )
    const pay = async (payee: string, amount: number) => {
      const id = await paid.usdc.send(payee, dollars(amount))
      await paid.anvil.ask('anvil_mine', '0x44')
      await paid.look()
      const { settings } = paid
      await followAndLend(product.context, { settings, node: openNode(settings) })
      return id
    }
    const payload = { reason: 'Paid otherwise' }
    const giveUp = ({ token } = second) =>
      product.call(giveUpBatch, { token, params: { id: batchId }, payload })
    const settle = async ({ token }: Person = admin) => {
      const alarms = (await product.call(listAlarms, { token })).body
      const open = alarms.filter((each) => each.batchId === batchId && each.settledAt === null)
      // Two super admins settle what left beyond the batch.
      for (const { id } of open.filter(({ kind }) => kind !== 'UNEXPLAINED'))
        expect((await product.call(settleAlarm, { token, params: { id }, payload })).status).toBe(
          200,
        )
      return open.map(({ kind }) => kind).sort()
    }
    const stateOf = async () =>
      (await desk.rows<{ state: string }>('SELECT state FROM batches WHERE id = $1', batchId))[0]
        ?.state
    const made = { desk, second, investor, batchId, withdrawal, to, loan, address }
    return { ...made, pay, giveUp, settle, stateOf }
  }
  /** Dollars that left beyond what was owed, as the books of coins have them. */
  const beyond = async (): Promise<number> => {
    const { context, database } = paid.product
    await postCoins(context.db, context.config)
    const { rows } = await database.superuser.query(
      `SELECT coalesce(sum(CASE to_account WHEN 'unexplained' THEN units ELSE -units END), 0) / 1e6 AS dollars
       FROM coin_movements WHERE asset = 'USDC' AND 'unexplained' IN (from_account, to_account)`,
    )
    return Number(rows[0].dollars)
  }
  const whole = async () => {
    await expectWhole(paid.product)
    await expectCustody(paid.product)
  }

  test('to every payee is given up by a second person', async () => {
    const { product, admin } = paid
    const { desk, second, investor, batchId, withdrawal, to, loan, address, ...rest } =
      await batched()
    const { pay, giveUp, settle, stateOf } = rest
    const evidence = await pay(to, 199)
    await pay(address, 201)
    expect(codeOf(await giveUp())).toBe('batchOnChain')
    const payee = await person(product, ['ADMIN'])
    await joinPeople(product, investor, payee)
    const alarms = await desk.rows<{ id: string }>(
      "SELECT id FROM payout_alarms WHERE batch_id = $1 AND kind <> 'UNEXPLAINED'",
      batchId,
    )
    for (const { id } of alarms) {
      const settling = { token: payee.token, params: { id }, payload: { reason: 'Mine' } }
      expect(codeOf(await product.call(settleAlarm, settling))).toBe('ownTransaction')
    }
    expect(await settle()).toEqual(['MORE', 'SHORT', 'UNEXPLAINED'])
    // One person settled the alarms, and a payee is none of the two.
    expect(codeOf(await giveUp(admin))).toBe('batchOnChain')
    const other = await person(product, ['ADMIN'])
    await joinPeople(product, admin, other)
    expect(codeOf(await giveUp(other))).toBe('batchOnChain')
    expect(codeOf(await giveUp(payee))).toBe('batchOnChain')
    const third = await person(product, ['ADMIN'])
    const answers = await Promise.all([giveUp(), giveUp(third), giveUp()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await stateOf()).toBe('GIVEN_UP')
    // No other batch pays them beside what went.
    const again = await product.call(makeBatch, {
      token: third.token,
      payload: {
        networkName: 'Ethereum',
        coin: 'USDC',
        payer: paid.anvil.payer,
        format: 'CSV',
        withdrawalIds: [withdrawal],
        loanIds: [loan],
      },
    })
    expect(again.body).toMatchObject({ code: 'batchImpossible', details: { problem: 'empty' } })
    const marking = { networkName: 'Ethereum', evidence }
    const params = { id: withdrawal }
    const { token } = second
    expect((await product.call(markSent, { token, params, payload: marking })).status).toBe(200)
    expect((await product.call(markCompleted, { token, params })).status).toBe(200)
    const payload = { reason: 'Paid otherwise' }
    const freeing = { token: admin.token, params: { id: loan }, payload }
    await desk.agree((await product.call(askRelease, freeing)).body.proposalId)
    expect(await desk.statusOf(loan)).toBe('APPROVED')
    expect(await desk.balanceOf('sending')).toBe(0)
    await whole()
  })

  test('to one payee may still pay the other', async () => {
    const { product } = paid
    const { desk, investor, to, loan, address, batchId, ...rest } = await batched()
    const { pay, giveUp, settle, stateOf } = rest
    // A payee may take the file, which its digest holds fixed. A borrower may not.
    const payee = await person(product, ['ADMIN'])
    await joinPeople(product, investor, payee)
    const taking = { token: payee.token, params: { id: batchId } }
    expect((await product.call(batchFile, taking)).status).toBe(200)
    await pay(to, 199)
    expect(await settle()).toEqual(['SHORT'])
    expect(codeOf(await giveUp())).toBe('batchOnChain')
    await pay(address, 200)
    expect([await stateOf(), await desk.statusOf(loan)]).toEqual(['SEEN', 'ACTIVE'])
    expect(codeOf(await giveUp())).toBe('batchClosed')
    await whole()
  })

  test('and then more of them waits for its alarm', async () => {
    const before = await beyond()
    const { to, address, pay, giveUp, settle } = await batched()
    await pay(to, 199)
    await pay(address, 199)
    expect(await beyond()).toBe(before)
    await settle()
    await pay(to, 5)
    expect(codeOf(await giveUp())).toBe('batchOnChain')
    // The two together are more than the batch owes.
    expect(await settle()).toEqual(['SHORT', 'UNEXPLAINED'])
    expect(await beyond()).toBe(before + 4)
    expect((await giveUp()).status).toBe(200)
    await whole()
  })

  test('or pays twice is a break beyond what it owed', async () => {
    const before = await beyond()
    const { to, address, pay } = await batched()
    await pay(to, 203)
    await pay(address, 200)
    expect(await beyond()).toBe(before + 3)
    await pay(address, 200)
    expect(await beyond()).toBe(before + 203)
    // The exact payment is its payout, so the other one was not owed.
    await pay(to, 200)
    expect(await beyond()).toBe(before + 403)
    await whole()
  })
})
