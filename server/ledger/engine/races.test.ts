import { cents, OPEN_WITHDRAWALS_LIMIT } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import { expect, test } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { markCompleted } from '../../money/claims/markCompleted.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { cancelRequest } from '../../requests/transactions/cancelRequest.ts'
import { markSent } from '../../requests/transactions/markSent.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { actAs, investorWith, person, testProduct } from '../../testing/product.ts'
import type { Operation } from '../families/movements.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { postGroup } from './postGroup.ts'

const product = testProduct()

const LEDGERS = 8
const EACH = 10

// One ledger posts its operations in one group and never races with itself. Two ledgers that post
// everything at once hardly do either (docs/ledger.md, "Racing two ledgers").
test('eight ledgers with one withdrawal at a time never overdraw', async () => {
  const investor = await investorWith(product, 250)
  const withdraw = (ledger: Ledger): Promise<string> =>
    requestWithdrawal(
      { ...product.context, ledger },
      { by: { id: investor.id, from: 'tests' }, amount: cents(25_00n) },
    ).then(
      () => 'done',
      (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
    )
  const inTurn = async (ledger: Ledger): Promise<string[]> => {
    const outcomes: string[] = []
    for (let each = 0; each < EACH; each += 1) outcomes.push(await withdraw(ledger))
    return outcomes
  }

  const outcomes = (
    await Promise.all(
      Array.from({ length: LEDGERS }, () => inTurn(openLedger(product.database.pool))),
    )
  ).flat()
  const count = (code: string) => outcomes.filter((outcome) => outcome === code).length
  expect([count('done'), count('insufficientFunds')]).toEqual([10, LEDGERS * EACH - 10])
  expect(outcomes).toHaveLength(LEDGERS * EACH)
})

test('a person has 20 withdrawals waiting over two accounts', async () => {
  const [one, other] = [await investorWith(product, 900), await investorWith(product, 900)]
  // The first let the second in alone, so both count as one person.
  await product.database.superuser.query(
    `INSERT INTO user_roles (user_id, role, alone_by, granted_at) VALUES ($1, 'ADMIN', $2, now())`,
    [other.id, one.id],
  )
  const ask = (ledger: Ledger, { id }: { readonly id: string }): Promise<string> =>
    requestWithdrawal(
      { ...product.context, ledger },
      { by: { id, from: 'tests' }, amount: cents(10_00n) },
    ).then(
      () => 'done',
      (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
    )
  const inTurn = async (place: number): Promise<string[]> => {
    const ledger = openLedger(product.database.pool)
    const outcomes: string[] = []
    for (let each = 0; each < EACH; each += 1)
      outcomes.push(await ask(ledger, (each + place) % 2 ? one : other))
    return outcomes
  }
  const outcomes = (
    await Promise.all(Array.from({ length: LEDGERS }, (_, place) => inTurn(place)))
  ).flat()
  const count = (code: string) => outcomes.filter((outcome) => outcome === code).length
  expect([count('done'), count('tooManyOpenWithdrawals')]).toEqual([
    OPEN_WITHDRAWALS_LIMIT,
    LEDGERS * EACH - OPEN_WITHDRAWALS_LIMIT,
  ])
  // One that was cancelled makes room for one.
  const { rows } = await product.database.pool.query(
    `SELECT id, user_id FROM transactions WHERE type = 'withdrawal' AND user_id = $1 LIMIT 1`,
    [one.id],
  )
  const own = { transactionId: rows[0].id, by: { ...actAs(one), name: 'tests' } }
  await cancelRequest(product.context, own)
  const { ledger } = product.context
  expect([await ask(ledger, other), await ask(ledger, one)]).toEqual([
    'done',
    'tooManyOpenWithdrawals',
  ])
})

test('a group completes a withdrawal and an investment', async () => {
  const { context, database } = product
  const { id: ownerId } = await investorWith(product, 100)
  const { transactionId } = await requestWithdrawal(context, {
    by: { id: ownerId, from: 'tests' },
    amount: cents(20_00n),
  })
  const by = actAs(await person(product, ['ADMIN']))
  await approveWithdrawal(context, { transactionId, userId: ownerId, by })
  const evidence = 'c'.repeat(64)
  await markSent(context, { transactionId, networkName: 'Bitcoin', evidence, by })
  const { investmentId } = await openInvestment(
    { ...context, config: { ...context.config, daySeconds: 0 } },
    { by: { id: ownerId, from: 'tests' }, amount: cents(50_00n), durationDays: 1 },
  )
  const matured = {
    movement: 'investment_matured',
    id: investmentId,
    ownerId,
    returned: cents(50_00n),
    interest: cents(2_00n),
    payoutId: newId(),
  } as const
  const posted = { id: transactionId, at: '' }
  const group: Operation[] = [matured]
  const gathering = {
    ...context.ledger,
    post: async (operation: Operation) => {
      group.push(operation)
      return posted
    },
  }
  await markCompleted({ ...context, ledger: gathering }, { transactionId, by })
  const outcomes = await postGroup(database.pool, group)
  expect(outcomes).toMatchObject([{ id: investmentId }, { id: transactionId }])
  expect(await context.ledger.available(ownerId)).toBe(cents(82_00n))
  const { rows } = await database.pool.query(
    `SELECT type, status FROM transactions WHERE user_id = '${ownerId}' ORDER BY type`,
  )
  expect(rows).toEqual([
    { type: 'deposit', status: 'APPROVED' },
    { type: 'investment', status: 'COMPLETED' },
    { type: 'payout', status: 'COMPLETED' },
    { type: 'withdrawal', status: 'COMPLETED' },
  ])
})
