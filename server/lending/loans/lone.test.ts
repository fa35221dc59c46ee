import { cents } from '@pool/contract/base/money'
import { importLoanFile } from '@pool/contract/lending/loanFiles'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { expectWhole, letHoursPass } from '../../testing/decisions.ts'
import { joinPeople, newReference, openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { actAs, codeOf, type Person, person, testProduct } from '../../testing/product.ts'
import { repayLoan } from './repay.ts'

const product = testProduct(
  { LOAN_CONCENTRATION: '100', SECOND_APPROVAL_ABOVE: '1000', POOL_SECOND_APPROVAL_ABOVE: '2500' },
  { reserve: cents(60_000_00n) },
)
let first: Person
let second: Person
let chief: Person
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  first = await person(product, ['ADMIN'])
  second = await person(product, ['ADMIN'])
  chief = await person(product, ['SUPER_ADMIN'])
  desk = openDesk(product, first, chief)
})
afterEach(async () => {
  await expectWhole(product, /oan|epayment/)
  await letHoursPass(product, 25)
  await product.database.superuser.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE loan_repayments SET created_at = created_at - interval '25 hours';
     UPDATE loan_reversals SET created_at = created_at - interval '25 hours';
     UPDATE proposals SET decided_at = decided_at - interval '25 hours' WHERE kind IN ('DISBURSE_LOAN', 'SEND_LOAN'); COMMIT`,
  )
})

/** A loan of which all is due by now. */
const due = async () => {
  const id = await desk.active()
  await product.database.superuser.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE loan_instalments SET due_on = current_date - 1 WHERE loan_id = '${id}'; COMMIT`,
  )
  return id
}
const reserve = () => desk.balanceOf('reserve')
const proposalOf = ({ body }: { body: { proposalId: string | null } }) => body.proposalId ?? ''

describe('one person alone', () => {
  test('records repayments of a borrower up to the limit', async () => {
    const id = await due()
    const before = await reserve()
    expect((await desk.askToRepay(id, { amount: 1_000 })).body).toMatchObject({ proposalId: null })
    const after = await reserve()
    expect(after).toBeGreaterThan(before)
    const asked = await desk.askToRepay(id, { amount: 0.01 }, second)
    expect(asked.body).toMatchObject({ repaymentId: null, proposalId: expect.any(String) })
    expect(await reserve()).toBe(after)
    expect((await desk.agree(proposalOf(asked), first)).status).toBe(200)
    expect(await reserve()).toBe(after + 1)
  })

  test('records eight repayments that never came to the limit', async () => {
    const loans = await Promise.all(Array.from({ length: 8 }, due))
    const before = await reserve()
    const answers = []
    for (const id of loans) answers.push(await desk.askToRepay(id, { amount: 400 }))
    expect(answers.filter(({ body }) => body.proposalId === null)).toHaveLength(2)
    expect((await reserve()) - before).toBe(800_00)
  })

  test('ends no loan by a payment of an old day', async () => {
    const id = await due()
    const owed = (await desk.storyOf(id)).loan.outstanding
    const asked = await desk.askToRepay(id, { amount: owed, valueOn: dayFrom(-30), inFull: true })
    expect(asked.body.proposalId).toEqual(expect.any(String))
    expect(await desk.statusOf(id)).toBe('ACTIVE')
    expect((await desk.askToRepay(id, { amount: 1, valueOn: dayFrom(-3) })).body).toMatchObject({
      proposalId: null,
    })
    expect(codeOf(await desk.agree(proposalOf(asked), first))).toBe('ownProposal')
    await joinPeople(product, first, second)
    expect(codeOf(await desk.agree(proposalOf(asked), second))).toBe('samePerson')
    await joinPeople(product, chief, second)
  })

  test('takes no repayment of others back above the limit', async () => {
    const [id, other] = [await due(), await due()]
    const { body } = await desk.repay(id, { amount: 900 }, second)
    expect((await desk.askToRepay(other, { amount: 200 })).body.proposalId).toBeNull()
    const before = await reserve()
    const asked = await desk.askToReverse(body.repaymentId)
    expect(asked.body.proposalId).toEqual(expect.any(String))
    expect(await reserve()).toBe(before)
    expect((await desk.agree(proposalOf(asked), chief)).status).toBe(200)
    expect(await reserve()).toBeLessThan(before)
  })

  test('repeats the same request without a second one', async () => {
    const id = await due()
    const payment = { amount: 1_100, reference: newReference() }
    const [once, again] = [await desk.askToRepay(id, payment), await desk.askToRepay(id, payment)]
    expect(again.body.proposalId).toBe(once.body.proposalId)
  })

  test('imports a file above the limit with a second person', async () => {
    const [id, other] = [await due(), await due()]
    const lines = [id, other].map((loan) => `${loan},600,${dayFrom(0)},${newReference()}`)
    const csv = ['loan_id,amount,value_on,reference', ...lines].join('\n')
    const send = (dryRun: boolean) =>
      product.call(importLoanFile, {
        token: first.token,
        params: { kind: 'repayments' },
        payload: { csv, dryRun },
      })
    const before = await reserve()
    expect((await send(true)).body).toMatchObject({ takesTwo: true, proposalId: null })
    const { body } = await send(false)
    expect(body).toMatchObject({ lines: 2, recorded: 0, takesTwo: true, problems: [] })
    expect(await reserve()).toBe(before)
    expect((await desk.agree(body.proposalId ?? '', second)).status).toBe(200)
    expect(await reserve()).toBe(before + 1_200_00)
  })
})

test('no two processes pass the limit of one person together', async () => {
  const loans = await Promise.all(Array.from({ length: 6 }, due))
  const doors = loans.map(() => ({
    ...product.context,
    ledger: openLedger(product.database.pool),
  }))
  const outcomes = await Promise.allSettled(
    loans.map((loanId, at) =>
      repayLoan(doors[at] ?? product.context, {
        loanId,
        amount: cents(300_00n),
        reference: newReference(),
        by: actAs(first),
        valueOn: dayFrom(0),
      }),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('takesTwo')
})

test('no writer records repayments of one person past the limit', async () => {
  const id = await due()
  const insert = (principal: number, valueOn: string, agreed: string | null = null) =>
    product.database.pool.query(
      `INSERT INTO loan_repayments (id, loan_id, principal, capital, interest, recovered, kept, value_on, reference, recorded_by, agreed_id)
       VALUES (gen_random_uuid(), $1, $2, $2, 0, 0, 0, $3, $4, $5, $6)`,
      [id, principal, valueOn, newReference(), first.id, agreed],
    )
  const refusal = /one person may not change that much/
  await expect(insert(100_001, dayFrom(0))).rejects.toThrow(refusal)
  await expect(insert(1, dayFrom(-4))).rejects.toThrow(refusal)
  const asked = await desk.askToRepay(id, { amount: 1_100 })
  await expect(insert(1, dayFrom(0), proposalOf(asked))).rejects.toThrow(refusal)
})

test('admins alone lend up to the limit of the pool', async () => {
  const lend = async (by: Person, agreeing: Person) => {
    const id = await desk.approved()
    const { body } = await desk.disburse(id, by)
    return codeOf(await desk.agree(body.proposalId, agreeing))
  }
  expect(await lend(first, second)).toBe(undefined)
  expect(await lend(first, second)).toBe(undefined)
  expect(await lend(first, second)).toBe('lendingNeedsSuperAdmin')
  expect(await lend(first, chief)).toBe(undefined)
})
