import { cents, centsFromDollars } from '@pool/contract/base/money'
import { approvalLimits } from '@pool/contract/money/limits'
import { approve, confirm, reject } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { postGroup } from '../../ledger/engine/postGroup.ts'
import { postDecision } from '../../requests/transactions/decision.ts'
import { expectWhole, letHoursPass } from '../../testing/decisions.ts'
import {
  actAs,
  fund,
  type Person,
  type Product,
  person,
  startProduct,
  wallets,
} from '../../testing/product.ts'
import { setLimits } from './limits.ts'

const PER_PERSON = 1_000
const PER_POOL = 2_500

let product: Product
let admin: Person
let investor: Person
beforeAll(async () => {
  product = await startProduct({
    SECOND_APPROVAL_ABOVE: String(PER_PERSON),
    POOL_SECOND_APPROVAL_ABOVE: String(PER_POOL),
  })
})
beforeEach(async () => {
  await letADayPass()
  admin = await person(product, ['ADMIN'])
  investor = await person(product)
  await wallets(product, 1)
})
afterAll(() => product.close())
afterAll(() => expectWhole(product))

const letADayPass = () => letHoursPass(product, 25)

const askToDeposit = async (amount: number, { id, token } = investor): Promise<string> => {
  const { body } = await product.call(deposit, { token, payload: { userId: id, amount } })
  return body.transactionId
}
const askToWithdraw = async (amount: number, { id, token } = investor): Promise<string> => {
  const { body } = await product.call(withdraw, { token, payload: { userId: id, amount } })
  return body.transactionId
}
const confirmAs = async ({ token }: Person, transactionId: string, evidence?: string) =>
  (await product.call(confirm, { token, payload: { transactionId, evidence } })).body
const approveAs = async ({ token }: Person, transactionId: string, owner = investor) =>
  (await product.call(approve, { token, payload: { transactionId, userId: owner.id } })).body
const seenBy = async ({ token }: Person, id: string) =>
  (await product.call(listTransactions, { token, query: { search: id } })).body[0]

describe('one admin alone', () => {
  test('cannot credit a large deposit', async () => {
    const id = await askToDeposit(9_000_000)
    expect(await seenBy(admin, id)).toMatchObject({ approvalsNeeded: 2, exceeds: 'investor' })
    expect(await confirmAs(admin, id)).toMatchObject({ status: 'PENDING' })
    expect(await confirmAs(admin, id)).toMatchObject({ code: 'approvedAlready' })
    expect(await product.context.ledger.available(investor.id)).toBe(0n)
    expect(await confirmAs(await person(product, ['ADMIN']), id)).toMatchObject({
      status: 'APPROVED',
    })
    expect(await product.context.ledger.available(investor.id)).toBe(9_000_000_00n)
    const { rows } = await product.database.pool.query(
      'SELECT action FROM audit_entries WHERE subject_id = $1 ORDER BY id',
      [id],
    )
    expect(rows).toEqual([{ action: 'deposit.firstApproval' }, { action: 'deposit.confirmed' }])
  })

  test('cannot split a payment above the limit', async () => {
    await fund(product, investor, cents(5_000_00n))
    await letADayPass()
    const [own, piece, more] = [
      await askToDeposit(400),
      await askToWithdraw(600),
      await askToWithdraw(10),
    ]
    expect(await confirmAs(admin, own)).toMatchObject({ status: 'APPROVED' })
    expect(await approveAs(admin, piece)).toMatchObject({ status: 'APPROVED' })
    expect(await seenBy(admin, more)).toMatchObject({ approvalsNeeded: 2, exceeds: 'investor' })
    expect(await approveAs(admin, more)).toMatchObject({ status: 'PENDING' })
    expect(await approveAs(await person(product, ['ADMIN']), more)).toMatchObject({
      status: 'APPROVED',
    })
  })

  test('cannot spread an amount over several investors', async () => {
    const others = await Promise.all(Array.from({ length: 3 }, () => person(product)))
    await wallets(product, 3)
    const statuses: unknown[] = []
    for (const other of others) {
      const id = await askToDeposit(400, other)
      statuses.push([(await seenBy(admin, id))?.exceeds, (await confirmAs(admin, id)).status])
    }
    expect(statuses).toEqual([
      [undefined, 'APPROVED'],
      [undefined, 'APPROVED'],
      ['approver', 'PENDING'],
    ])
  })

  test('may decide again when a day has passed', async () => {
    await confirmAs(admin, await askToDeposit(PER_PERSON))
    await letHoursPass(product, 23)
    expect(await confirmAs(admin, await askToDeposit(0.01))).toMatchObject({ status: 'PENDING' })
    const { rows } = await product.database.pool.query(
      'SELECT transactions.amount FROM approvals JOIN transactions ON id = transaction_id WHERE approved_by = $1',
      [admin.id],
    )
    expect(rows).toEqual([{ amount: 1n }])
    await letADayPass()
    expect(await confirmAs(admin, await askToDeposit(PER_PERSON))).toMatchObject({
      status: 'APPROVED',
    })
  })

  test('uses no limit by rejecting or by joint decisions', async () => {
    await fund(product, investor, cents(900_00n))
    await letADayPass()
    await product.call(reject, {
      token: admin.token,
      params: { id: await askToWithdraw(900) },
      payload: {},
    })
    const large = await askToDeposit(5_000)
    await confirmAs(await person(product, ['ADMIN']), large)
    expect(await confirmAs(admin, large)).toMatchObject({ status: 'APPROVED' })
    expect(await confirmAs(admin, await askToDeposit(PER_PERSON))).toMatchObject({
      status: 'APPROVED',
    })
  })
})

test('several admins cannot exceed the limit of the pool', async () => {
  const statuses: unknown[] = []
  for (const amount of [1_000, 1_000, 500, 0.01]) {
    const [other, decider] = [await person(product), await person(product, ['ADMIN'])]
    await wallets(product, 1)
    const id = await askToDeposit(amount, other)
    statuses.push([(await seenBy(decider, id))?.exceeds, (await confirmAs(decider, id)).status])
  }
  expect(statuses).toEqual([
    [undefined, 'APPROVED'],
    [undefined, 'APPROVED'],
    [undefined, 'APPROVED'],
    ['pool', 'PENDING'],
  ])
})

test('staff read their own use of the limits', async () => {
  const before = (await product.call(approvalLimits, { token: admin.token })).body
  expect(before).toMatchObject({
    perPerson: PER_PERSON,
    perPool: PER_POOL,
    decidedByYou: 0,
    decidedByAll: 0,
  })
  await confirmAs(admin, await askToDeposit(12.34))
  await person(product, ['SUPER_ADMIN', 'ADMIN'])
  const { body } = await product.call(approvalLimits, { token: admin.token })
  expect(body).toMatchObject({ decidedByYou: 12.34, decidedByAll: 12.34, staff: before.staff + 1 })
})

test('both approvers must name the same on-chain transaction', async () => {
  const [one, other] = ['a', 'b'].map((digit) => digit.repeat(64))
  const id = await askToDeposit(5_000)
  expect(await confirmAs(admin, id, one)).toMatchObject({ status: 'PENDING' })
  const second = await person(product, ['ADMIN'])
  expect(await confirmAs(second, id, other)).toMatchObject({ code: 'evidenceDiffers' })
  expect(await confirmAs(second, id)).toMatchObject({ status: 'APPROVED' })
  expect((await seenBy(admin, id))?.evidence).toBe(one)
  const next = await askToDeposit(5_000)
  expect(await confirmAs(admin, next, one)).toMatchObject({ code: 'evidenceUsed' })
})

test('a deposit still needs two people after a day', async () => {
  await confirmAs(admin, await askToDeposit(PER_PERSON))
  const id = await askToDeposit(10)
  expect(await confirmAs(admin, id)).toMatchObject({ status: 'PENDING' })
  await letADayPass()
  expect(await seenBy(admin, id)).toMatchObject({ approvalsNeeded: 2 })
  expect(await confirmAs(admin, id)).toMatchObject({ code: 'approvedAlready' })
  expect(await confirmAs(await person(product, ['ADMIN']), id)).toMatchObject({
    status: 'APPROVED',
  })
})

/** An amount, and the indexes of its investor and its approver. */
type Decisions = [amount: number, of: number, by: number][]

/** Requests pending deposits, with investors and approvers by index. */
const prepare = async (decisions: Decisions) => {
  await wallets(product, decisions.length)
  const investors = await Promise.all(decisions.map(() => person(product)))
  const approvers = await Promise.all(decisions.map(() => person(product, ['ADMIN'])))
  return Promise.all(
    decisions.map(async ([dollars, of, by]) => {
      const [owner, approver] = [investors[of] as Person, approvers[by] as Person]
      return {
        id: await askToDeposit(dollars, owner),
        ownerId: owner.id,
        by: approver.id,
        approver,
        amount: centsFromDollars(dollars),
      }
    }),
  )
}

describe('decisions of one group', () => {
  test.each<[string, Decisions]>([
    [
      'an investor',
      [
        [500, 0, 0],
        [500, 0, 1],
        [0.01, 0, 2],
      ],
    ],
    [
      'an approver',
      [
        [500, 0, 0],
        [500, 1, 0],
        [0.01, 2, 0],
      ],
    ],
    [
      'the pool',
      [
        [1_000, 0, 0],
        [1_000, 1, 1],
        [500, 2, 2],
        [0.01, 3, 3],
      ],
    ],
  ])('use up the limit of %s to the cent', async (_, decisions) => {
    const deposits = await prepare(decisions)
    const calls: number[] = []
    const ledger = openLedger(product.database.pool, {
      post: (operations) => {
        calls.push(operations.length)
        return postGroup(product.database.pool, operations)
      },
    })
    const posted = await Promise.all(
      deposits.map(({ approver, amount, ...known }) => {
        const request = { transactionId: known.id, by: actAs(approver) }
        const found = {
          ...known,
          amount,
          fee: cents(0n),
          evidence: null,
          networkName: 'Bitcoin',
          destinationAddress: '',
        }
        return postDecision({ ...product.context, ledger }, request, found, {
          movement: 'deposit_confirmed',
        })
      }),
    )
    expect(posted.map(({ missing }) => missing)).toEqual([
      ...decisions.slice(1).map(() => undefined),
      1,
    ])
    // The ledger refused the last one, so no call failed in the database.
    expect(calls).toEqual([decisions.length])
  })
})

describe('the database refuses a statement that decides', () => {
  type BySql = { readonly id: string; readonly by: string | undefined; readonly at?: string }

  const refuses = async (decisions: readonly BySql[]) => {
    const decided = decisions.map(({ id, by, at = 'now' }) => ({ id, by, at }))
    const statement = `
      UPDATE transactions AS t SET status = 'APPROVED', ending = 'decided', decided_by = d.by, updated_at = d.at
      FROM jsonb_to_recordset($1) AS d (id uuid, by uuid, at timestamptz) WHERE t.id = d.id`
    await expect(product.database.pool.query(statement, [JSON.stringify(decided)])).rejects.toThrow(
      /decide about that much alone/,
    )
    for (const { id } of decisions) expect((await seenBy(admin, id))?.status).toBe('PENDING')
  }

  test.each<[string, Decisions]>([
    [
      'an investor',
      [
        [600, 0, 0],
        [600, 0, 1],
      ],
    ],
    [
      'an approver',
      [
        [600, 0, 0],
        [600, 1, 0],
      ],
    ],
    [
      'the pool',
      [
        [900, 0, 0],
        [900, 1, 1],
        [900, 2, 2],
      ],
    ],
  ])('above the limit of %s', async (_, decisions) => {
    await refuses(await prepare(decisions))
  })

  test('at another time than now', async () => {
    await refuses([{ id: await askToDeposit(1), by: admin.id, at: 'yesterday' }])
  })

  test('by an unknown approver', async () => {
    await refuses([{ id: await askToDeposit(1), by: undefined }])
  })
})

test('a change of either limit is recorded', async () => {
  const { config } = product.context
  const person = { ...config, secondApprovalAbove: cents(500_00n) }
  const pool = { ...person, poolSecondApprovalAbove: cents(3_000_00n) }
  for (const limits of [person, person, pool, config]) await setLimits(product.context, limits)
  const { rows } = await product.database.pool.query(
    `SELECT actor, subject_type, subject_id, source, before, after
     FROM audit_entries WHERE action = 'limits.changed' ORDER BY id DESC LIMIT 3`,
  )
  const values = [
    { perPerson: PER_PERSON, perPool: PER_POOL },
    { perPerson: 500, perPool: PER_POOL },
    { perPerson: 500, perPool: 3_000 },
    { perPerson: PER_PERSON, perPool: PER_POOL },
  ]
  const changes = values.slice(1).map((after, place) => ({ before: values[place], after }))
  const common = {
    actor: 'operator',
    subject_type: 'limits',
    subject_id: 'approvals',
    source: 'operator',
  }
  expect(rows.toReversed()).toEqual(changes.map((change) => ({ ...common, ...change })))
})
