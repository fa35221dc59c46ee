import { cents } from '@pool/contract/base/money'
import { beforeEach, describe, expect, test } from 'vitest'
import { openInvestment } from '../server/money/investments/openInvestment.ts'
import { rejectWithdrawal } from '../server/requests/transactions/rejectWithdrawal.ts'
import { requestWithdrawal } from '../server/requests/transactions/requestWithdrawal.ts'
import { actAs, fund, type Person, person, rewoundProduct } from '../server/testing/product.ts'
import { tamper } from '../server/testing/tamper.ts'
import { illegalMoves } from './invariants.ts'
import type { Operation } from './plan.ts'
import { contradictions } from './verify.ts'

/** Shows that the judge finds each fault. Every fault is made here on purpose. */

const product = rewoundProduct()
let investor: Person
beforeEach(async () => {
  investor = await person(product)
  await fund(product, investor, cents(1_000_00n))
})

const withdraw = (key: string) =>
  requestWithdrawal(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(10_00n),
    description: key,
  })
const told = (
  key: string,
  outcome: Operation['outcome'],
  more: Partial<Operation> = {},
): Operation => ({
  kind: 'withdrawal',
  key,
  outcome,
  wasUnknown: outcome === 'unknown',
  at: 0,
  ...more,
})
const judged = (...operations: readonly Operation[]) => contradictions(operations, product.database)

test('operations that match their outcomes are accepted', async () => {
  await withdraw('there')
  expect(await judged(told('there', 'acknowledged'), told('absent', 'refused'))).toEqual([])
  expect(await judged(told('there', 'unknown'), told('absent', 'unknown'))).toEqual([])
})

test('a lost acknowledged and an executed refused operation are found', async () => {
  await withdraw('refused')
  expect(await judged(told('lost', 'acknowledged'))).toEqual([
    'withdrawal lost was acknowledged and is there 0 times',
  ])
  expect(await judged(told('refused', 'refused'))).toEqual([
    'withdrawal refused was refused and is there 1 times',
  ])
})

test('doubled operations and contradictory responses are found', async () => {
  await withdraw('twice')
  await withdraw('twice')
  expect(await judged(told('twice', 'acknowledged'))).toEqual([
    'withdrawal twice was acknowledged and is there 2 times',
  ])
  expect(await judged(told('twice', 'unknown'))).toEqual([
    'withdrawal twice was unknown and is there 2 times',
  ])
  expect(await judged(told('elsewhere', 'answeredDifferently'))).toHaveLength(1)
})

test('a decision that differs from its acknowledgement is found', async () => {
  const admin = await person(product, ['ADMIN'])
  const { transactionId } = await withdraw('decided')
  await rejectWithdrawal(product.context, { transactionId, by: actAs(admin), reason: 'No' })
  const decision = { kind: 'decision', transactionId, userId: admin.id } as const
  expect(
    await judged(told('decided', 'acknowledged', { ...decision, decision: 'REJECTED' })),
  ).toEqual([])
  expect(
    await judged(told('decided', 'acknowledged', { ...decision, decision: 'APPROVED' })),
  ).toHaveLength(1)
})

describe('balances', () => {
  const begun = 1_000_00n
  const judge = (operations: readonly Operation[], ...owners: readonly Person[]) =>
    contradictions(operations, product.database, new Map(owners.map(({ id }) => [id, begun])))

  test('balances follow from the operations of their investor', async () => {
    const admin = await person(product, ['ADMIN'])
    const { transactionId } = await withdraw('rejected')
    await rejectWithdrawal(product.context, { transactionId, by: actAs(admin), reason: 'No' })
    await withdraw('held')
    await openInvestment(product.context, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(100_01n),
      durationDays: 1,
    })
    const own = { userId: investor.id }
    const operations = [
      told('rejected', 'acknowledged', own),
      told('decision', 'acknowledged', {
        kind: 'decision',
        userId: admin.id,
        transactionId,
        about: { owner: investor.id, kind: 'withdrawal' },
        decision: 'REJECTED',
      }),
      told('held', 'unknown', own),
      told('absent', 'unknown', own),
      told('invested', 'acknowledged', { ...own, kind: 'investment', cents: 100_01 }),
    ]
    expect(await judge(operations, investor)).toEqual([])
    expect(await judge(operations.slice(0, 3), investor)).toEqual([
      `available of ${investor.id} is 88999 and must be 99000`,
      `invested of ${investor.id} is 10001 and must be 0`,
    ])
  })

  test("balances reveal an operation with another's money", async () => {
    const victim = await person(product)
    await fund(product, victim, cents(begun))
    // Row, transfers and balances agree. The client's knowledge reveals the fault.
    await withdraw('taken')
    const taken = told('taken', 'acknowledged', { userId: victim.id })
    expect(await judge([taken], investor, victim)).toEqual([
      `available of ${investor.id} is 99000 and must be 100000`,
      `held of ${investor.id} is 1000 and must be 0`,
      `available of ${victim.id} is 100000 and must be 99000`,
      `held of ${victim.id} is 0 and must be 1000`,
    ])
  })
})

test('an unrecorded decision and one about own money are found', async () => {
  const admin = await person(product, ['ADMIN'])
  const { transactionId } = await withdraw('decided')
  await rejectWithdrawal(product.context, { transactionId, by: actAs(admin), reason: 'No' })
  const says = (by: string, entries: number) =>
    `transaction ${transactionId} is REJECTED by ${by}, and ${entries} entries say so`
  await tamper(
    product.database,
    `UPDATE audit_entries SET actor_id = '${investor.id}' WHERE subject_id = '${transactionId}'`,
  )
  expect(await judged()).toContain(says(admin.id, 0))
  const { rows } = await product.database.superuser.query(
    "SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conname = 'transactions_decided_by_another'",
  )
  const decidedBy = ({ id }: Person) =>
    `UPDATE transactions SET decided_by = '${id}' WHERE id = '${transactionId}'`
  await tamper(
    product.database,
    `ALTER TABLE transactions DROP CONSTRAINT transactions_decided_by_another; ${decidedBy(investor)}`,
  )
  expect(await judged()).toContain(says(investor.id, 1))
  await tamper(
    product.database,
    `${decidedBy(admin)}; ALTER TABLE transactions ADD CONSTRAINT transactions_decided_by_another ${rows[0].rule}`,
  )
})

test('an unrecorded role and an incomplete list are found', async () => {
  const granted = (outcome: Operation['outcome']) =>
    told('role', outcome, { kind: 'granted', userId: investor.id })
  expect(await judged(granted('unknown'))).toEqual([])
  expect(await judged(granted('acknowledged'))).toEqual([
    `granted of ${investor.id} was acknowledged 1 times, is unknown 0 times, and is on record 0 times`,
  ])
  expect(await judged(told('list', 'acknowledged', { kind: 'reading', missing: 2 }))).toEqual([
    'a list lacked 2 rows that were acknowledged before it was asked for',
  ])
})

test("an operation sent after its session's end is found", async () => {
  const ending = told('out', 'acknowledged', { kind: 'logout', ends: 'one', at: 100 })
  const late = (outcome: Operation['outcome'], sentAt: number) =>
    told('late', outcome, { kind: 'reading', session: 'one', sentAt })
  const found = async (...operations: readonly Operation[]) =>
    (await judged(ending, ...operations)).filter((each) => each.includes('its session'))
  expect(await found(late('acknowledged', 100.5))).toEqual([
    'reading late was acknowledged though its session had ended before it was sent',
  ])
  expect(await found(late('refused', 100.5), late('acknowledged', 99.5))).toEqual([])
})

test('lost rows and illegal states are found', () => {
  const moved = (before: string, after: string | undefined) =>
    illegalMoves(new Map([['it', before]]), new Map(after === undefined ? [] : [['it', after]]))
  expect(moved('withdrawal PENDING', 'withdrawal REJECTED')).toEqual([])
  expect(moved('deposit PENDING', 'deposit EXPIRED')).toEqual([])
  expect(moved('deposit PENDING', 'deposit REJECTED')).toEqual([])
  expect(moved('deposit EXPIRED', 'deposit APPROVED')).toHaveLength(1)
  expect(moved('withdrawal REJECTED', 'withdrawal APPROVED')).toHaveLength(1)
  expect(moved('withdrawal APPROVED', undefined)).toEqual([
    'transaction it was withdrawal APPROVED and then gone',
  ])
})

test('interest wrong by a cent is found', async () => {
  const { investmentId } = await openInvestment(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(33_35n),
    durationDays: 12,
  })
  for (const change of ['+ 1', '- 2']) {
    await tamper(
      product.database,
      `UPDATE investments SET interest = interest ${change} WHERE id = '${investmentId}'`,
    )
    expect(await judged()).toContain(`investment ${investmentId} has not the interest of its rate`)
  }
  await tamper(
    product.database,
    `UPDATE investments SET interest = interest + 1 WHERE id = '${investmentId}'`,
  )
  expect(await judged()).toEqual([])
})

test('missing and early payouts are found', async () => {
  const { investmentId } = await openInvestment(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(100_00n),
    durationDays: 1,
  })
  expect(await judged()).toEqual([])
  await tamper(
    product.database,
    `UPDATE investments SET status = 'COMPLETED' WHERE id = '${investmentId}'`,
  )
  expect(await judged()).toContain(
    `investment ${investmentId} has 0 payouts, or one that is not its own`,
  )
  await tamper(
    product.database,
    `INSERT INTO transactions (id, user_id, type, amount, status, investment_id, created_at, updated_at)
    SELECT gen_random_uuid(), user_id, 'payout', principal + interest, 'COMPLETED', id, now(), now() FROM investments WHERE id = '${investmentId}'`,
  )
  expect(await judged(), 'before it matured').toContain(
    `investment ${investmentId} has 1 payouts, or one that is not its own`,
  )
})
