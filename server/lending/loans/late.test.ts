import { cents } from '@pool/contract/base/money'
import { DEFAULT_DAYS } from '@pool/contract/lending/arrears'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { expectCustody, newReference, openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { actAs, codeOf, type Person, person, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { countArrears, postDefaults } from './arrears.ts'
import { repayLoan } from './repay.ts'

const product = testProduct(
  {
    LOAN_CONCENTRATION: '100',
    SECOND_APPROVAL_ABOVE: '100000',
    POOL_SECOND_APPROVAL_ABOVE: '1000000',
  },
  { reserve: cents(20_000_00n) },
)
let first: Person
let second: Person
let supers: readonly [Person, Person]
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  first = await person(product, ['ADMIN'])
  second = await person(product, ['ADMIN'])
  supers = [await person(product, ['SUPER_ADMIN']), await person(product, ['SUPER_ADMIN'])]
  desk = openDesk(product, first, second)
})
afterAll(async () => {
  await expectWhole(product, /oan/)
  await expectCustody(product)
})

const count = () => countArrears(product.context.db, product.context.config.loanTolerance, 1)
const bucketsOf = async (id: string) =>
  (await desk.storyOf(id)).moves.map(({ bucket, movedOn }) => [bucket, movedOn])
const balances = async () => [await desk.balanceOf('reserve'), await desk.balanceOf('deployed')]

/** Weekly instalments of $100 and interest, the first due so many days ago. */
const lateBy = (days: number, more: object = {}) =>
  desk.active(
    { disburseOn: dayFrom(-days - 7), firstDueOn: dayFrom(-days), ...more },
    {},
    { disbursedOn: dayFrom(-days - 7) },
  )

describe('days past due', () => {
  test.each([
    [0, 'current'],
    [1, 'late1'],
    [30, 'late1'],
    [31, 'late31'],
    [60, 'late31'],
    [61, 'late61'],
    [90, 'late61'],
    [91, 'late91'],
  ])('%i put a loan in the bucket %s', async (days, bucket) => {
    const id = await lateBy(days)
    await count()
    expect((await desk.storyOf(id)).loan).toMatchObject({ daysPastDue: days, bucket })
    const begins = { current: 0, late1: 1, late31: 31, late61: 61, late91: 91 }[bucket] ?? 0
    expect(await bucketsOf(id)).toEqual(
      bucket === 'current' ? [] : [[bucket, dayFrom(begins - days)]],
    )
    await desk.giveBack([id])
  })

  test('are counted once a day and follow value dates', async () => {
    const [id, other] = [await lateBy(40), await lateBy(31)]
    const [one = 0, two = 0] = await Promise.all([count(), count()])
    expect(one + two).toBe(2)
    expect(await count()).toBe(0)
    expect(await bucketsOf(other)).toEqual([['late31', dayFrom(0)]])
    // Four instalments with their interest were paid ten days ago, and that was typed today.
    const { lines } = await desk.storyOf(id)
    const amount = lines
      .slice(0, 4)
      .reduce((sum, { principal, interest }) => sum + principal * 100 + interest * 100, 0)
    await desk.repay(id, { amount: Math.round(amount) / 100, valueOn: dayFrom(-10) })
    expect((await desk.storyOf(id)).loan).toMatchObject({ daysPastDue: 12, bucket: 'late1' })
    expect(await count()).toBe(1)
    expect(await bucketsOf(id)).toEqual([
      ['late31', dayFrom(-9)],
      ['late1', dayFrom(-10)],
    ])
    await desk.giveBack([id, other])
  })

  test('leave out an instalment within the tolerance', async () => {
    const id = await lateBy(5)
    const { loan } = await desk.storyOf(id)
    await desk.repay(id, { amount: Math.round(loan.nextDue * 100 - 100) / 100 })
    expect((await desk.storyOf(id)).loan).toMatchObject({ daysPastDue: 0, overdue: 1 })
    await desk.repay(id, { amount: 0.5 })
    expect((await desk.storyOf(id)).loan.overdue).toBe(0.5)
    await desk.giveBack([id])
  })
})

describe('a default', () => {
  test('follows from more than 90 days past due', async () => {
    const [late, early] = [await lateBy(DEFAULT_DAYS + 1), await lateBy(DEFAULT_DAYS)]
    expect(await postDefaults(product.context)).toBe(1)
    expect(await postDefaults(product.context)).toBe(0)
    expect([await desk.statusOf(late), await desk.statusOf(early)]).toEqual(['DEFAULTED', 'ACTIVE'])
    const { default: found, loan, lines, payoff } = await desk.storyOf(late)
    const due = lines.reduce((sum, { interest }) => sum + Math.round(interest * 100), 0)
    expect(found).toMatchObject({
      on: dayFrom(0),
      reason: 'daysPastDue',
      daysPastDue: 91,
      exposure: (1_200_00 + due) / 100,
      why: null,
    })
    expect(loan).toMatchObject({ defaultedOn: dayFrom(0), bucket: 'late91' })
    expect(payoff).toBe((1_200_00 + due) / 100)
    await desk.repay(late, { amount: payoff ?? 0 })
    // It stays in the statistics.
    expect((await desk.storyOf(late)).loan).toMatchObject({
      status: 'REPAID',
      defaultedOn: dayFrom(0),
    })
    await desk.giveBack([early])
  })

  test('has its day however late the job runs', async () => {
    const firstDueOn = dayFrom(-121)
    const dueDay = Number(firstDueOn.slice(8))
    const id = await lateBy(121, { period: 'monthly', dueDay })
    expect(await postDefaults(product.context)).toBe(1)
    const on = dayFrom(-30)
    const { default: found, lines, payoff, loan } = await desk.storyOf(id)
    const due = lines.filter(({ dueOn }) => dueOn <= on)
    // Interest of the lines due by then, and by the day since the last of them.
    const days = (Date.parse(on) - Date.parse(due.at(-1)?.dueOn ?? '')) / 86_400_000
    const earned = Math.round(((due.at(-1)?.balance ?? 0) * 12 * days) / 365)
    const interest = due.reduce((sum, each) => sum + Math.round(each.interest * 100), 0) + earned
    expect(earned).toBeGreaterThan(0)
    const exposure = (1_200_00 + interest) / 100
    expect(found).toMatchObject({ on, daysPastDue: 91, exposure })
    expect(found?.stopped).toEqual({ number: due.length + 1, interest: earned / 100 })
    expect([payoff, loan.defaultedOn]).toEqual([exposure, on])
    // It is collected line by line, interest before principal.
    const sum = due.reduce((all, each) => all + Math.round(each.principal * 100), 0)
    const early = await desk.repay(id, { amount: (sum + interest) / 100 })
    expect(early.body).toMatchObject({ principal: sum / 100, interest: interest / 100 })
    const rest = (1_200_00 - sum) / 100
    expect(await desk.repay(id, { amount: rest })).toMatchObject({ body: { status: 'REPAID' } })
  })

  test('of a borrower unlikely to pay takes two', async () => {
    const id = await lateBy(8)
    const { payoff: before } = await desk.storyOf(id)
    const asked = await desk.askDefault(id)
    expect(codeOf(await desk.agree(asked.body.proposalId, first))).toBe('ownProposal')
    await desk.agree(asked.body.proposalId)
    const { default: found, loan, lines, payoff } = await desk.storyOf(id)
    expect(found).toMatchObject({ reason: 'unlikelyToPay', why: 'Insolvent', daysPastDue: 8 })
    expect(loan.status).toBe('DEFAULTED')
    // Two instalments are due, and a day on 1,000 at 12 % earned 0.33. All principal is due.
    const due = lines.slice(0, 2).reduce((sum, each) => sum + Math.round(each.interest * 100), 33)
    expect(payoff).toBe((1_200_00 + due) / 100)
    expect([before, found?.exposure]).toEqual([payoff, payoff])
    const more = Math.round((payoff ?? 0) * 100 + 1) / 100
    expect(await desk.repay(id, { amount: more })).toMatchObject({
      body: { code: 'repaidTooMuch', details: { most: payoff } },
    })
    expect((await desk.repay(id, { amount: payoff ?? 0 })).body.status).toBe('REPAID')
    expect(codeOf(await desk.askDefault(id))).toBe('loanIs')
  })

  test('races a repayment, and one of them wins', async () => {
    const id = await lateBy(DEFAULT_DAYS + 1)
    const { lines } = await desk.storyOf(id)
    const amount = lines
      .slice(0, 2)
      .reduce((sum, { principal, interest }) => sum + Math.round((principal + interest) * 100), 0)
    const other = { ...product.context, ledger: openLedger(product.database.pool) }
    const [defaulted, repaid] = await Promise.all([
      postDefaults(other),
      repayLoan(product.context, {
        loanId: id,
        amount: cents(BigInt(amount)),
        reference: newReference(),
        by: actAs(first),
        valueOn: dayFrom(0),
      }),
    ])
    const { loan, default: found, events } = await desk.storyOf(id)
    expect(repaid.status).toBe(loan.status)
    expect(loan.status).toBe(defaulted === 1 ? 'DEFAULTED' : 'ACTIVE')
    expect(found === null).toBe(defaulted === 0)
    expect(events.map(({ what }) => what)).toContain('repaid')
    expect(loan.outstanding).toBe(1_000)
    await desk.giveBack([id])
  })
})

describe('a write-off', () => {
  const lost = async () => {
    const id = await lateBy(DEFAULT_DAYS + 1)
    await postDefaults(product.context)
    return id
  }

  test('takes two super admins and the operator’s capital', async () => {
    const id = await lost()
    await desk.repay(id, { amount: 500 })
    const { outstanding } = (await desk.storyOf(id)).loan
    const [reserve, deployed] = await balances()
    const [one, two] = supers
    expect(await desk.askWriteOff(id, one, 1)).toMatchObject({
      body: { code: 'loanOwes', details: { amount: outstanding } },
    })
    const { body } = await desk.askWriteOff(id, one, outstanding)
    expect(codeOf(await desk.agreeAsSuper(body.proposalId, one))).toBe('ownProposal')
    expect((await desk.agreeAsSuper(body.proposalId, two)).status).toBe(200)
    expect((await desk.storyOf(id)).loan).toMatchObject({
      status: 'WRITTEN_OFF',
      outstanding: 0,
      writtenOff: outstanding,
      recovered: 0,
    })
    const lostCents = Math.round(outstanding * 100)
    expect(await balances()).toEqual([reserve, (deployed ?? 0) - lostCents])
    expect(codeOf(await desk.repay(id))).toBe('loanIs')

    const reference = newReference()
    const asked = await desk.askToRecover(id, { amount: 100, reference })
    expect(codeOf(await desk.askToRecover(id, { amount: 100 }))).toBe('proposalAsked')
    expect(codeOf(await desk.agree(asked.body.proposalId, first))).toBe('ownProposal')
    expect(await balances()).toEqual([reserve, (deployed ?? 0) - lostCents])
    expect((await desk.agree(asked.body.proposalId)).status).toBe(200)
    expect(await desk.askToRecover(id, { amount: outstanding })).toMatchObject({
      body: { code: 'recoveredTooMuch', details: { most: (lostCents - 100_00) / 100 } },
    })
    expect(codeOf(await desk.askToRecover(id, { amount: 1, reference }))).toBe('referenceUsed')
    for (const valueOn of [dayFrom(-1), dayFrom(1)])
      expect(codeOf(await desk.askToRecover(id, { amount: 1, valueOn }))).toBe('recoveredWhen')
    expect(await balances()).toEqual([(reserve ?? 0) + 100_00, (deployed ?? 0) - lostCents])
    expect((await desk.reverse(asked.body.proposalId)).status).toBe(200)
    expect(codeOf(await desk.reverse(asked.body.proposalId))).toBe('repaymentReversed')
    expect(await balances()).toEqual([reserve, (deployed ?? 0) - lostCents])
    // A repayment from before it stays.
    const { repayments } = await desk.storyOf(id)
    const early = repayments.find(({ recovered }) => recovered === 0)?.id ?? ''
    expect(codeOf(await desk.reverse(early))).toBe('loanIs')
  })

  test('of a repaid loan is refused', async () => {
    const id = await lost()
    const { outstanding } = (await desk.storyOf(id)).loan
    const { body } = await desk.askWriteOff(id, supers[0], outstanding)
    await desk.giveBack([id])
    expect(codeOf(await desk.agreeAsSuper(body.proposalId, supers[1]))).toBe('loanIs')
    expect(codeOf(await desk.askWriteOff(id, supers[0], outstanding))).toBe('loanIs')
    expect(await desk.statusOf(id)).toBe('REPAID')
  })

  test('is recovered once where many agree at once', async () => {
    const id = await lost()
    const { outstanding } = (await desk.storyOf(id)).loan
    const { body } = await desk.askWriteOff(id, supers[0], outstanding)
    await desk.agreeAsSuper(body.proposalId, supers[1])
    const asked = await desk.askToRecover(id, { amount: 700 })
    const answers = await Promise.all([1, 2, 3].map(() => desk.agree(asked.body.proposalId)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect((await desk.storyOf(id)).loan.recovered).toBe(700)
  })

  test('is not recovered by one person and SQL', async () => {
    const id = await lost()
    const { outstanding } = (await desk.storyOf(id)).loan
    const { body } = await desk.askWriteOff(id, supers[0], outstanding)
    await desk.agreeAsSuper(body.proposalId, supers[1])
    const forge = (own: string, amount: number) =>
      product.database.pool.query(
        `INSERT INTO loan_repayments (id, loan_id, principal, capital, interest, recovered, kept, value_on, reference, recorded_by)
         VALUES ($1, $2, 0, 0, 0, $4, $4, current_date, 'forged', $3)`,
        [own, id, first.id, amount],
      )
    const { body: asked } = await desk.askToRecover(id, { amount: 10 })
    await expect(forge(asked.proposalId, 10_00)).rejects.toThrow(/takes two people/)
    expect((await desk.agree(asked.proposalId)).status).toBe(200)
    await expect(forge(asked.proposalId, 11_00)).rejects.toThrow(/takes two people/)
    const { findings } = await checkRowsAgainstTrail(product.context.db)
    expect(findings.filter((each) => /recovery/.test(each))).toEqual([])
    await tamper(
      product.database,
      `UPDATE loan_repayments SET reference = 'another' WHERE id = '${asked.proposalId}'`,
    )
    const named = (await checkRowsAgainstTrail(product.context.db)).findings
    expect(named).toContain(`The recovery of $10.00 of loan ${id} has no entries of two people.`)
    await tamper(
      product.database,
      `UPDATE loan_repayments SET reference = (SELECT payload ->> 'reference' FROM proposals WHERE id = '${asked.proposalId}') WHERE id = '${asked.proposalId}'`,
    )
  })

  test.each([
    [
      "UPDATE loans SET status = 'WRITTEN_OFF', written_off = 1 WHERE id = $1",
      /loans_|not allowed/,
    ],
    ['UPDATE loans SET recovered = 1 WHERE id = $1', /loans_recovered_within/],
    [
      'INSERT INTO loan_write_offs (id, loan_id, principal, capital) SELECT id, $1, 1, 1 FROM proposals LIMIT 1',
      /takes two people/,
    ],
    [
      `INSERT INTO loan_defaults (id, loan_id, defaulted_on, reason, days_past_due, principal, interest)
       VALUES (gen_random_uuid(), $1, current_date, 'unlikelyToPay', 0, 1, 0)`,
      /takes two people/,
    ],
  ])('cannot be forged by %s', async (text, refused) => {
    const id = await lateBy(0)
    await expect(product.database.pool.query(text, [id])).rejects.toThrow(refused)
    await desk.giveBack([id])
  })
})
