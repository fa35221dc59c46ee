import { cents } from '@pool/contract/base/money'
import { beforeEach, expect, test } from 'vitest'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { fund, type Person, person, rewoundProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { forgetOldKeys } from '../engine/forgetKeys.ts'
import { POOL_OWNER } from '../families/accounts.ts'
import { checkLedger, findingOf } from './check.ts'
import { checkAndRecord } from './checkAndRecord.ts'

const product = rewoundProduct()
let investor: Person
beforeEach(async () => {
  investor = await person(product)
  await fund(product, investor, cents(50_00n))
})

const query = (text: string) => product.database.pool.query(text)
const finding = async () => findingOf(await checkLedger(product.context.db))
const kept = async () =>
  (await query('SELECT accounts, transfers::int, finding FROM ledger_checks ORDER BY checked_at'))
    .rows

test('a check of a whole ledger is stored without finding', async () => {
  const { rows } = await query(
    'SELECT (SELECT count(*)::int FROM accounts) AS accounts, (SELECT count(*)::int FROM transfers) AS transfers',
  )
  expect(await checkAndRecord(product.context.db)).toBeUndefined()
  expect(await kept()).toEqual([{ ...rows[0], finding: null }])
  expect(rows[0].transfers).toBe(2)
})

test('a check stores which account differs and by how much', async () => {
  await tamper(
    product.database,
    `UPDATE accounts SET balance = balance + 1 WHERE kind = 'available' AND owner_id = '${investor.id}'`,
  )
  const sentence = new RegExp(
    `^Account \\d+ \\(available of ${investor.id}\\) has the balance \\$50\\.01, but its transfers come to \\$50\\.00\\.$`,
  )
  expect(await checkAndRecord(product.context.db)).toMatch(sentence)
  expect(await kept()).toMatchObject([{ finding: expect.stringMatching(sentence) }])
})

test('a row that its transfers contradict is found', async () => {
  const { transactionId } = await requestWithdrawal(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(20_00n),
  })
  expect(await finding()).toBeUndefined()
  await tamper(
    product.database,
    `UPDATE transactions SET status = 'APPROVED' WHERE id = '${transactionId}'`,
  )
  const { id } = investor
  expect(await finding()).toBe(
    `The transaction ${transactionId} APPROVED does not match its transfers: withdrawal_held 2000 from available of ${id} to held of ${id}.`,
  )
})

test('a tally that differs from a recount is found', async () => {
  await tamper(
    product.database,
    "UPDATE tallies SET rows = rows + 1 WHERE noun = 'transactions' AND kind = 'deposit' AND status = 'APPROVED'",
  )
  expect(await finding()).toMatch(
    /^The tally of transactions deposit APPROVED of .+ is kept as 2 rows, 5000 cents, 0 cents of interest, but a recount comes to 1 rows, 5000 cents, 0 cents of interest\.$/,
  )
})

test("keys are deleted after a week, except the pool's", async () => {
  const { context } = product
  const idempotency = (key: string) => ({ actorId: investor.id, key, requestHash: 'any' })
  for (const key of ['old', 'young'])
    await requestWithdrawal(context, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(10_00n),
      idempotency: idempotency(key),
    })
  await contributeCapital(context, {
    amount: cents(1n),
    note: 'once',
    contributedBy: 'tests',
    key: 'capital',
  })
  await tamper(
    product.database,
    "UPDATE idempotency_keys SET created_at = now() - interval '8 days' WHERE key IN ('old', 'capital')",
  )
  await tamper(
    product.database,
    "UPDATE idempotency_keys SET created_at = now() - interval '6 days 23 hours' WHERE key = 'young'",
  )
  expect(await forgetOldKeys(context.db)).toBe(1)
  const { rows } = await query('SELECT actor_id, key FROM idempotency_keys ORDER BY key')
  expect(rows).toEqual([
    { actor_id: POOL_OWNER, key: 'capital' },
    { actor_id: investor.id, key: 'young' },
  ])
  expect(await forgetOldKeys(context.db)).toBe(0)
})
