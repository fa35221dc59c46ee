import { cents, dollarsFromCents } from '@pool/contract/base/money'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { confirmDeposit } from '../../requests/transactions/confirmDeposit.ts'
import { requestDeposit } from '../../requests/transactions/requestDeposit.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { expectWhole, letHoursPass } from '../../testing/decisions.ts'
import { actAs, fund, type Person, person, testProduct } from '../../testing/product.ts'
import { rounds } from '../../testing/rounds.ts'

const PER_PERSON = 1_000
const PER_POOL = 2_500

const product = testProduct({
  SECOND_APPROVAL_ABOVE: String(PER_PERSON),
  POOL_SECOND_APPROVAL_ABOVE: String(PER_POOL),
})
afterAll(() => expectWhole(product))

const letADayPass = () => letHoursPass(product, 25)

const decision = fc.record({
  amount: fc.bigInt({ min: 10_00n, max: 900_00n }),
  of: fc.nat({ max: 2 }),
  // Enough approvers to exceed the pool's limit together.
  by: fc.nat({ max: 2 }),
  type: fc.constantFrom('deposit' as const, 'withdrawal' as const),
})

test('no split of amounts across two processes exceeds a limit', async () => {
  const doors = [
    product.context,
    { ...product.context, ledger: openLedger(product.database.pool) },
  ] as const
  await fc.assert(
    fc.asyncProperty(fc.array(decision, { minLength: 4, maxLength: 20 }), async (decisions) => {
      await letADayPass()
      const investors = await Promise.all(Array.from({ length: 3 }, () => person(product)))
      for (const each of investors) await fund(product, each, cents(100_000_00n))
      await letADayPass()
      const approvers = await Promise.all(
        Array.from({ length: 3 }, () => person(product, ['ADMIN'])),
      )
      const wanted = await Promise.all(
        decisions.map(async ({ amount, of, ...rest }) => {
          const owner = investors[of] as Person
          const request = { by: { id: owner.id, from: 'tests' }, amount: cents(amount) }
          const { transactionId } = await (rest.type === 'deposit'
            ? requestDeposit(product.context.ledger, request)
            : requestWithdrawal(product.context, request))
          return {
            ...rest,
            transactionId,
            userId: owner.id,
            approver: approvers[rest.by] as Person,
          }
        }),
      )
      await Promise.all(
        wanted.map(({ type, transactionId, userId, approver }, place) => {
          const door = place % 2 ? doors[0] : doors[1]
          const request = { transactionId, userId, by: actAs(approver) }
          return type === 'deposit'
            ? confirmDeposit(door, request)
            : approveWithdrawal(door, request)
        }),
      )
      const { rows } = await product.database.pool.query<{
        approver: string
        investor: string
        amount: bigint
      }>('SELECT * FROM decided_alone()')
      const sumOf = (some: typeof rows) =>
        dollarsFromCents(cents(some.reduce((sum, { amount }) => sum + amount, 0n)))
      expect(sumOf(rows)).toBeLessThanOrEqual(PER_POOL)
      for (const { id } of approvers)
        expect(sumOf(rows.filter(({ approver }) => approver === id))).toBeLessThanOrEqual(
          PER_PERSON,
        )
      for (const { id } of investors)
        expect(sumOf(rows.filter((row) => row.investor === id))).toBeLessThanOrEqual(PER_PERSON)
      // The first decision always fits, so at least one row exists.
      expect(rows.length).toBeGreaterThan(0)
    }),
    { numRuns: rounds({ full: 500, short: 12 }) },
  )
})
