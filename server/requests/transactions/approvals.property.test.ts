import { cents } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { grantRole, resumeUser, revokeRole, suspendUser } from '../../accounts/users/roles.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { checkAudit } from '../../records/audit/check.ts'
import { sealAudit } from '../../records/audit/seal.ts'
import { actAs, fund, type Person, person, testProduct } from '../../testing/product.ts'
import { approveWithdrawal } from './approveWithdrawal.ts'
import { rejectWithdrawal } from './rejectWithdrawal.ts'
import { requestWithdrawal } from './requestWithdrawal.ts'

const OPERATOR = { name: 'operator', from: 'operator' }
const PEOPLE = 4

const product = testProduct({ SECOND_APPROVAL_ABOVE: '100' })
/** All are staff and have money at first, so each may request, approve or be paid. */
let people: Person[]
beforeAll(async () => {
  people = await Promise.all(
    Array.from({ length: PEOPLE }, () => person(product, ['USER', 'ADMIN'])),
  )
  for (const someone of people) await fund(product, someone, cents(1_000_000_00n))
})

const who = fc.nat({ max: PEOPLE - 1 })
const attempt = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      verb: fc.constant('approve' as const),
      who,
      door: fc.nat({ max: 1 }),
      of: who,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: fc.constant('reject' as const),
      who,
      door: fc.nat({ max: 1 }),
      of: who,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constantFrom(
        'demote' as const,
        'promote' as const,
        'suspend' as const,
        'resume' as const,
      ),
      who,
    }),
  },
)
type Attempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never

const changes = {
  demote: revokeRole,
  promote: grantRole,
  suspend: suspendUser,
  resume: resumeUser,
} as const

/** Restores the roles of the start. */
const makeAllStaff = async () => {
  const { pool } = product.database
  const ids = [people.map(({ id }) => id)]
  await pool.query('UPDATE users SET suspended_at = NULL WHERE id = ANY ($1)', ids)
  await pool.query(
    "INSERT INTO user_roles (user_id, role) SELECT id, 'ADMIN' FROM unnest($1::uuid[]) AS id ON CONFLICT DO NOTHING",
    ids,
  )
}

/** Any rule may refuse. */
const tolerant = (work: Promise<unknown>) =>
  work.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })

test('in no order does one person pay a large withdrawal', async () => {
  const { db } = product.context
  const doors = [
    product.context,
    { ...product.context, ledger: openLedger(product.database.pool) },
  ] as const
  const closer = actAs(await person(product, ['ADMIN']))
  let tried = 0
  const asked: string[] = []

  const carryOut = (act: Attempt, withdrawals: readonly string[]) => {
    const approver = people[act.who] as Person
    if (!('door' in act))
      return changes[act.verb](product.context, {
        email: approver.email,
        role: 'ADMIN',
        by: OPERATOR,
      })
    tried += 1
    const context = act.door === 0 ? doors[0] : doors[1]
    const request = { transactionId: withdrawals[act.of] ?? '', by: actAs(approver) }
    return act.verb === 'approve'
      ? approveWithdrawal(context, { ...request, userId: people[act.of]?.id ?? '' })
      : rejectWithdrawal(context, { ...request, reason: 'no' })
  }

  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(attempt, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
      async (waves) => {
        await makeAllStaff()
        const withdrawals = await Promise.all(
          people.map(
            async ({ id }) =>
              (
                await requestWithdrawal(product.context, {
                  by: { id, from: 'tests' },
                  amount: cents(100_01n),
                })
              ).transactionId,
          ),
        )
        asked.push(...withdrawals)
        for (const wave of waves)
          await Promise.all(wave.map((act) => tolerant(carryOut(act, withdrawals))))
        // Only a few withdrawals of a person may wait.
        for (const transactionId of withdrawals)
          await tolerant(
            rejectWithdrawal(product.context, { transactionId, by: closer, reason: 'no' }),
          )
      },
    ),
    { numRuns: 60 },
  )

  const { rows } = await product.database.pool.query(
    `SELECT t.id, t.user_id, t.status, t.decided_by, ARRAY(SELECT approved_by::text FROM approvals WHERE transaction_id = t.id) AS by
     FROM transactions AS t WHERE t.id = ANY ($1)`,
    [asked],
  )
  const paid = rows.filter(({ status }) => status === 'APPROVED')
  for (const { user_id, decided_by, by } of rows) {
    expect(by).not.toContain(user_id)
    expect(decided_by).not.toBe(user_id)
  }
  for (const { by, decided_by } of paid) {
    expect(new Set(by).size).toBeGreaterThanOrEqual(2)
    expect(by).toContain(decided_by)
  }
  // The property would hold of a product that pays nothing.
  expect(paid.length).toBeGreaterThan(3)
  expect(tried).toBeGreaterThan(100)

  // The trail has each effect as often as it happened, and nothing else.
  const effects = rows.flatMap(({ id, status, by }) => [
    ...(status === 'APPROVED' ? [`${id} withdrawal.approved`] : []),
    ...(status === 'REJECTED' ? [`${id} withdrawal.rejected`] : []),
    ...by.slice(status === 'APPROVED' ? 1 : 0).map(() => `${id} withdrawal.firstApproval`),
  ])
  const { rows: entries } = await product.database.pool.query(
    "SELECT subject_id || ' ' || action AS entry FROM audit_entries WHERE subject_id = ANY ($1)",
    [asked],
  )
  expect(entries.map(({ entry }) => entry).sort()).toEqual(effects.sort())
  await sealAudit(product.context)
  expect((await checkAudit(product.context)).firstBreak).toBeUndefined()
  expect(await checkLedger(db)).not.toHaveProperty('firstMismatch')
})
