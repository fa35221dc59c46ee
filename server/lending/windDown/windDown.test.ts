import { askProposal } from '@pool/contract/agreements/proposals'
import { cents, centsFromDollars } from '@pool/contract/base/money'
import { invest } from '@pool/contract/money/investments'
import { listPauses, pause, resume, WIND_DOWN_REASON } from '@pool/contract/money/pauses'
import { listNotices } from '@pool/contract/reports/notices'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { afterEach, describe, expect, test } from 'vitest'
import { checkLedger } from '../../ledger/check/check.ts'
import { markCompleted } from '../../money/claims/markCompleted.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { mailAnnounced } from '../../reports/notices/mailAnnounced.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { markSent } from '../../requests/transactions/markSent.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { rewoundDatabase } from '../../testing/database.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { expectCustody, newHash } from '../../testing/loanDesk.ts'
import {
  actAs,
  codeOf,
  fund,
  investorWith,
  type Person,
  type Product,
  person,
  startProduct,
} from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { ownAddress, startWindDown, type WindingDown } from '../../testing/windDowns.ts'
import { countFigures, readPoolBook } from '../pool/figures.ts'

const database = rewoundDatabase()
let world: WindingDown
let product: Product
let supers: readonly [Person, Person]
let clerk: Person
let desk: WindingDown['desk']

const start = async (reserve?: bigint) => {
  world = await startWindDown(reserve, database())
  ;({ product, supers, clerk, desk } = world)
}
afterEach(async () => {
  await expectWhole(product, /wind-down|capital/)
  await expectCustody(product)
  await product.close()
})

const ask = (...asked: Parameters<WindingDown['ask']>) => world.ask(...asked)
const decide = (...decided: Parameters<WindingDown['decide']>) => world.decide(...decided)
const agree = (...asked: Parameters<WindingDown['agree']>) => world.agree(...asked)
const take = (amount: number) => world.take(amount)
const begin = () => world.begin()
const progress = () => world.progress()
const paused = async () =>
  (await product.call(listPauses)).body.map(({ name, reason }) => [name, reason])
const leave = ({ id, token }: Person, amount: number) =>
  product.call(withdraw, { token, payload: { userId: id, amount } })

/** Pays out a withdrawal that was asked for. */
const payOut = async ({ id: userId }: Person, transactionId: string): Promise<void> => {
  const by = actAs(clerk)
  await approveWithdrawal(product.context, { transactionId, userId, by })
  await markSent(product.context, {
    transactionId,
    by,
    networkName: 'Bitcoin',
    evidence: newHash(),
  })
  await markCompleted(product.context, { transactionId, by })
}
const payAll = async (investor: Person, dollars: number): Promise<void> => {
  const { status, body } = await leave(investor, dollars)
  expect(status).toBe(200)
  await payOut(investor, body.transactionId)
}

/** An investment of a moment ago that matures now. */
const investNow = async ({ id }: Person, amount: bigint): Promise<void> => {
  const config = { ...product.context.config, daySeconds: 0 }
  const context = { ...product.context, config }
  await openInvestment(context, {
    by: { id, from: 'tests' },
    amount: cents(amount),
    durationDays: 12,
  })
}

const elsewhere = () => world.elsewhere()
const shiftBack = () => world.shiftBack()
const standing = () => world.standing()

describe('a wind-down', () => {
  test('takes two super admins', async () => {
    await start()
    const asked = await ask('WIND_DOWN')
    expect((await decide(asked.body.id, supers[0])).status).toBe(403)
    expect(await paused()).toEqual([])
    expect(await progress()).toMatchObject({ since: null, lastMaturity: null, reserve: 1_000 })
    for (const statement of [
      "INSERT INTO wind_downs (id, last_maturity_at) SELECT id, now() FROM proposals WHERE kind = 'WIND_DOWN'",
      'INSERT INTO capital_withdrawals (id, amount) SELECT id, 100 FROM proposals',
    ])
      await expect(product.database.pool.query(statement)).rejects.toThrow('takes two people')
  })

  test('is refused to the only super admin', async () => {
    product = await startProduct({}, { reserve: cents(1_000_00n), database: database() })
    const { token } = await person(product, ['SUPER_ADMIN'])
    const askAlone = (kind: 'WIND_DOWN' | 'END_WIND_DOWN' | 'WITHDRAW_CAPITAL') =>
      product.call(askProposal, {
        token,
        payload: { kind, reason: 'The operator retires', amount: 1, ...ownAddress() } as never,
      })
    for (const kind of ['WIND_DOWN', 'END_WIND_DOWN', 'WITHDRAW_CAPITAL'] as const)
      expect((await askAlone(kind)).status).toBe(409)
    expect(codeOf(await askAlone('WIND_DOWN'))).toBe('windDownNeedsTwo')
    expect(await paused()).toEqual([])
  })

  test('takes no new money, and tells everybody once', async () => {
    await start(2_000_00n)
    const investor = await investorWith(product, 100)
    const { id, token } = investor
    await investNow(investor, 50_00n)
    const loan = await desk.approved()
    await begin()
    expect(await paused()).toEqual([
      ['deposits', WIND_DOWN_REASON],
      ['investing', WIND_DOWN_REASON],
    ])
    const asked = { token, payload: { userId: id, amount: 20 } }
    expect(await product.call(deposit, asked)).toMatchObject({
      status: 503,
      body: { code: 'paused' },
    })
    const invested = { ...asked.payload, durationDays: 12 }
    expect(codeOf(await product.call(invest, { token, payload: invested }))).toBe('paused')
    expect(codeOf(await desk.disburse(loan))).toBe('windingDown')
    expect(codeOf(await ask('WIND_DOWN'))).toBe('windingDown')
    for (const name of ['deposits', 'investing'] as const) {
      const by = { token: supers[0].token, params: { name } }
      expect(codeOf(await product.call(resume, by))).toBe('windingDown')
      expect(codeOf(await product.call(pause, { ...by, payload: { reason: 'x' } }))).toBe(
        'windingDown',
      )
    }
    await expect(
      product.database.pool.query('UPDATE pauses SET by_wind_down = false'),
    ).rejects.toThrow('stay paused')

    expect(await mailAnnounced(product.context)).toBeGreaterThan(4)
    expect(await mailAnnounced(product.context)).toBe(0)
    const { body } = await product.call(listNotices, { token })
    expect(body.notices.map(({ kind }) => kind)).toContain('windDown.begun')
    expect(await payMaturities(product.context)).toMatchObject({})
    expect(await progress()).toMatchObject({ invested: 0, committed: 0, available: 103.5 })
  })

  test('pays every balance to the last cent', async () => {
    await start()
    const investor = await investorWith(product, 103)
    expect(await leave(investor, 9.99)).toMatchObject({ status: 400 })
    await begin()
    await payAll(investor, 102.99)
    await payAll(investor, 0.01)
    expect(await progress()).toMatchObject({ owed: 0, available: 0, holders: 0 })
  })

  test('is called off by two until capital has left', async () => {
    await start()
    expect(codeOf(await ask('END_WIND_DOWN'))).toBe('notWindingDown')
    await begin()
    expect((await agree('END_WIND_DOWN')).status).toBe(200)
    expect(await paused()).toEqual([])
    expect(await progress()).toMatchObject({ since: null })
    await begin()
    expect((await take(400)).status).toBe(200)
    expect(codeOf(await ask('END_WIND_DOWN'))).toBe('windDownGoesOn')
  })
})

describe('capital of the operator', () => {
  test('leaves last, and settles a loss of the operator', async () => {
    await start()
    const investor = await investorWith(product, 100)
    await investNow(investor, 100_00n)
    expect(codeOf(await ask('WITHDRAW_CAPITAL', { amount: 1 }))).toBe('notWindingDown')
    await begin()
    const owed = async () => (await ask('WITHDRAW_CAPITAL', { amount: 993 })).body
    expect(await owed()).toMatchObject({ code: 'capitalLeavesLast' })
    await payMaturities(product.context)
    expect(await owed()).toMatchObject({ code: 'capitalLeavesLast' })
    const { body } = await leave(investor, 107)
    expect(await owed()).toMatchObject({ code: 'capitalLeavesLast' })
    await payOut(investor, body.transactionId)
    expect(codeOf(await ask('WITHDRAW_CAPITAL', { amount: 993.01 }))).toBe('reserveShort')
    expect(codeOf(await ask('WITHDRAW_CAPITAL', { amount: 0 }))).toBe('validation')
    expect((await take(900)).status).toBe(200)
    expect(await progress()).toMatchObject({ reserve: 93, capital: 1_000, taken: 900 })
    expect((await take(93)).status).toBe(200)
    expect(await standing()).toEqual([])
    expect(await progress()).toMatchObject({ reserve: 0, capital: 1_000, taken: 993, owed: 0 })
    await countFigures(product.context)
    // Everybody reads the capital that came and the capital that left.
    expect(await readPoolBook(product.context.db)).toMatchObject({
      month: { capital: 1_000, withdrawn: 993 },
      reserve: { balance: 0, free: 0 },
      liquidity: { coins: 0, owed: 0 },
    })
  })

  test('leaves with the interest that loans earned', async () => {
    await start(2_000_00n)
    const id = await desk.active()
    await begin()
    await desk.giveBack([id])
    const { reserve } = await progress()
    expect(reserve).toBeGreaterThan(2_000)
    expect((await take(reserve)).status).toBe(200)
    expect(await standing()).toEqual([])
  })

  test('waits for a withdrawal that comes at the same moment', async () => {
    await start()
    const investor = await investorWith(product, 100)
    const by = { id: investor.id, from: 'tests' }
    await begin()
    await shiftBack()
    // The balance was left for 90 days, so both may come first.
    const { body } = await ask('WITHDRAW_CAPITAL', { amount: 1_000 })
    const [taken, asked] = await Promise.all([
      decide(body.id),
      requestWithdrawal(elsewhere(), { by, amount: centsFromDollars(60) }),
    ])
    const { held, reserve, owed } = await progress()
    expect(held).toBe(60)
    const isFirst = taken.status === 200
    expect([reserve, owed]).toEqual(isFirst ? [0, 60] : [1_000, 60])
    await payOut(investor, asked.transactionId)
    if (!isFirst) expect((await decide(body.id)).status).toBe(200)
    expect(await progress()).toMatchObject({ reserve: 0, available: 40, holders: 1, owed: 0 })
    // A balance that was left stays, and its coins.
    expect(await standing()).toEqual([
      { kind: 'available', cents: 40_00 },
      { kind: 'custody', cents: -40_00 },
    ])
    await payAll(investor, 40)
    expect(await standing()).toEqual([])
  })

  test('does not leave while a pause keeps balances here', async () => {
    await start()
    await fund(product, await person(product), centsFromDollars(100))
    await begin()
    await shiftBack()
    expect(await progress()).toMatchObject({ owed: 0 })
    const paused = (at: string) =>
      tamper(
        product.database,
        `UPDATE pauses SET (paused_at, paused_by, reason) = (${at}) WHERE name = 'withdrawals'`,
      )
    await paused("now(), 'tests', 'A look at the coins'")
    const { body } = await ask('WITHDRAW_CAPITAL', { amount: 1 })
    expect(body).toMatchObject({ code: 'capitalLeavesLast', details: { owed: 100 } })
    await paused('NULL, NULL, NULL')
    expect(await progress()).toMatchObject({ owed: 0 })
  })

  test('does not leave while principal of investors is lent', async () => {
    await start()
    await fund(product, await person(product), centsFromDollars(2_000))
    await desk.active({ amount: 900, fromInvestors: 900 })
    await begin()
    await shiftBack()
    const { body } = await ask('WITHDRAW_CAPITAL', { amount: 1 })
    expect(body).toMatchObject({ code: 'capitalLeavesLast', details: { owed: 900 } })
  })

  test.each([
    'UPDATE pauses SET by_wind_down = false',
    'UPDATE capital_withdrawals SET amount = amount - 1',
  ])('is found by the check after %s', async (statement) => {
    await start()
    await begin()
    expect((await take(400)).status).toBe(200)
    await tamper(product.database, statement)
    expect((await checkLedger(product.context.db)).firstMismatch).toBeDefined()
    await tamper(
      product.database,
      `UPDATE pauses SET by_wind_down = name <> 'withdrawals';
       UPDATE capital_withdrawals SET amount = 40000`,
    )
  })
})
