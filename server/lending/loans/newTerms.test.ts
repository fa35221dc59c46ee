import { cents } from '@pool/contract/base/money'
import { askRestructuring } from '@pool/contract/lending/lateLoans'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectWhole } from '../../testing/decisions.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { codeOf, type Person, person, testProduct } from '../../testing/product.ts'
import { countArrears } from './arrears.ts'

const product = testProduct({ LOAN_CONCENTRATION: '100' }, { reserve: cents(20_000_00n) })
let first: Person
let second: Person
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  first = await person(product, ['ADMIN'])
  second = await person(product, ['ADMIN'])
  desk = openDesk(product, first, second)
})
afterAll(async () => {
  await expectWhole(product, /oan/)
})

const terms = () => ({
  rateBasisPoints: 600,
  schedule: 'equalPrincipal',
  period: 'weekly',
  dayCount: 'act365',
  instalments: 24,
  dueDay: 1,
  firstDueOn: dayFrom(7),
  reason: 'Out of work',
  isDistressed: true,
})
const restructure = (id: string, more: object = {}, by = first) =>
  product.call(askRestructuring, {
    token: by.token,
    params: { id },
    payload: { ...terms(), ...more },
  })

describe('repaying in full', () => {
  test('owes interest by the day and no later one', async () => {
    const id = await desk.active()
    const reserve = await desk.balanceOf('reserve')
    // Due 23, 16, 9 and 2 days ago: 2.76, 2.53, 2.30 and 2.07. Since then 2 days on 800 at 12 %.
    const { payoff } = await desk.storyOf(id)
    expect(payoff).toBe(1_210.19)
    expect(await desk.repay(id, { amount: 1_200, inFull: true })).toMatchObject({
      status: 409,
      body: { code: 'payoffIs', details: { amount: payoff } },
    })
    // By the day before it is 27 cents less.
    const answer = { body: { code: 'payoffIs', details: { amount: 1_209.92 } } }
    const earlier = { amount: 1, inFull: true, valueOn: dayFrom(-1) }
    expect(await desk.repay(id, earlier)).toMatchObject(answer)
    const { body } = await desk.repay(id, { amount: payoff ?? 0, inFull: true })
    expect(body).toMatchObject({ principal: 1_200, interest: 10.19, status: 'REPAID' })
    expect(await desk.balanceOf('reserve')).toBe(reserve + 1_210_19)
    expect((await desk.storyOf(id)).loan).toMatchObject({
      nextDueOn: null,
      nextDue: 0,
      daysPastDue: 0,
      overdue: 0,
    })
    expect((await desk.reverse(body.repaymentId)).status).toBe(200)
    expect((await desk.storyOf(id)).payoff).toBe(payoff)
    await desk.giveBack([id])
  })

  test('cannot arrive before another repayment', async () => {
    const id = await desk.active()
    await desk.repay(id, { amount: 50, valueOn: dayFrom(-1) })
    const early = { amount: 1, inFull: true, valueOn: dayFrom(-2) }
    expect(codeOf(await desk.repay(id, early))).toBe('payoffWhen')
    const sameDay = { ...early, valueOn: dayFrom(-1) }
    expect(codeOf(await desk.repay(id, sameDay))).toBe('payoffIs')
    await desk.giveBack([id])
  })
})

test('a repayment of an earlier year is booked now', async () => {
  const day = '2024-03-10'
  const old = { disburseOn: '2024-03-01', firstDueOn: '2024-03-08' }
  const id = await desk.active(old, {}, { disbursedOn: '2024-03-01' })
  expect(codeOf(await desk.repay(id, { amount: 50, valueOn: '2024-02-29' }))).toBe('repaidWhen')
  const { body } = await desk.repay(id, { amount: 50, valueOn: day })
  const [found] = await desk.rows<{ month: string; value: string }>(
    `SELECT to_char(m.created_at, 'YYYY-MM') AS month, r.value_on::text AS value
     FROM movements AS m JOIN loan_repayments AS r ON r.id = m.reference_id WHERE r.id = $1 LIMIT 1`,
    body.repaymentId,
  )
  expect(found).toEqual({ month: dayFrom(0).slice(0, 7), value: day })
  await desk.giveBack([id])
})

describe('new terms', () => {
  test('keep the old schedule and carry its interest', async () => {
    const id = await desk.active()
    const early = await desk.repay(id, { amount: 102.76 })
    const before = await desk.storyOf(id)
    const { body } = await restructure(id)
    expect(codeOf(await desk.agree(body.proposalId, first))).toBe('ownProposal')
    expect((await desk.agree(body.proposalId)).status).toBe(200)
    const after = await desk.storyOf(id)
    expect(after.replacedLines).toEqual(before.lines)
    expect(after.restructurings).toMatchObject([
      {
        startsOn: dayFrom(0),
        firstNumber: 13,
        principal: 1_100,
        isDistressed: true,
        // Due of the lines 2, 3 and 4, and two days on 800.
        interest: 7.43,
        rateBasisPoints: 600,
        instalments: 24,
        why: 'Out of work',
      },
    ])
    expect(after.lines).toHaveLength(24)
    // 1,100 at 6 % for a week, and the interest that was not paid.
    expect(after.lines[0]).toMatchObject({ number: 13, dueOn: dayFrom(7), interest: 8.7 })
    expect(after.lines.reduce((sum, { principal }) => sum + Math.round(principal * 100), 0)).toBe(
      1_100_00,
    )
    expect(after.loan).toMatchObject({ outstanding: 1_100, daysPastDue: 0, overdue: 0 })
    await countArrears(product.context.db, cents(1_00n))
    expect((await desk.storyOf(id)).moves).toEqual([])
    expect(after.payoff).toBe(1_107.43)
    expect(codeOf(await desk.reverse(early.body.repaymentId))).toBe('repaymentBefore')
    const paid = await desk.repay(id, { amount: 54.53 })
    expect(paid.body).toMatchObject({ interest: 8.7, principal: 45.83 })
    expect((await desk.reverse(paid.body.repaymentId)).status).toBe(200)
    // A default stops later interest, and not what was carried.
    const { body: ending } = await desk.askDefault(id)
    await desk.agree(ending.proposalId)
    expect(await desk.storyOf(id)).toMatchObject({ payoff: 1_107.43, loan: { nextDue: 53.26 } })
    await desk.giveBack([id])
  })

  test.each([
    [{ firstDueOn: dayFrom(0) }, 'badTerms'],
    [{ instalments: 0 }, 'validation'],
    [{ reason: '' }, 'validation'],
  ])('such as %o are refused', async (more, code) => {
    const id = await desk.active({ amount: 12 })
    expect(codeOf(await restructure(id, more))).toBe(code)
    await desk.giveBack([id])
    expect(codeOf(await restructure(id))).toBe('loanIs')
  })
})

test('a loan refinances one of the same borrower once', async () => {
  const id = await desk.active({ amount: 12 })
  const { borrowerId } = (await desk.storyOf(id)).loan
  const other = await desk.record({ refinancesId: id })
  expect(codeOf(other)).toBe('notRefinanced')
  const { body } = await desk.record({ borrowerId, refinancesId: id })
  expect((await desk.storyOf(body.id)).loan.refinancesId).toBe(id)
  expect(codeOf(await desk.record({ borrowerId, refinancesId: id }))).toBe('notRefinanced')
  await desk.giveBack([id])
  expect(codeOf(await desk.record({ borrowerId, refinancesId: id }))).toBe('notRefinanced')
})
