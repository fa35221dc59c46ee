import { cents, centsFromDollars } from '@pool/contract/base/money'
import { listAudit } from '@pool/contract/reports/audit'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LOCKS, shareSql } from '../../base/locks.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { capitalIn } from '../../ledger/families/loanRows.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import {
  codeOf,
  investorWith,
  type Person,
  type Product,
  person,
  rewoundProduct,
} from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'

const SETTINGS = { LOAN_CONCENTRATION: '100', LEND_PRINCIPAL: 'true' }

let product: Product
let desk: ReturnType<typeof openDesk>
let second: Person
let supers: readonly [Person, Person]

/** The pool that the tests of a part share, with so much in its reserve. */
const servedBy = (environment: Record<string, string>, reserve: bigint) => {
  const shared = rewoundProduct({ ...SETTINGS, ...environment }, { reserve: cents(reserve) })
  beforeEach(async () => {
    product = shared
    second = await person(product, ['ADMIN'])
    desk = openDesk(product, await person(product, ['ADMIN']), second)
    supers = [await person(product, ['SUPER_ADMIN']), await person(product, ['SUPER_ADMIN'])]
  })
}
afterEach(async () => {
  await expectWhole(product, /oan|oss/)
})

/** Another node. */
const elsewhere = () => ({
  ...product.context,
  ledger: openLedger(product.database.pool),
})

/** Of a week from today, in one payment. */
const short = { instalments: 1, disburseOn: dayFrom(0), firstDueOn: dayFrom(7), dueDay: 1 }
const today = { disbursedOn: dayFrom(0) }

describe('a loan of both', () => {
  servedBy({}, 20_000_00n)

  test('moves the operator’s part alone in the reserve', async () => {
    const [reserve, deployed] = [await desk.balanceOf('reserve'), await desk.balanceOf('deployed')]
    const id = await desk.active({ fromInvestors: 400 })
    expect((await desk.storyOf(id)).loan).toMatchObject({ amount: 1_200, fromInvestors: 400 })
    expect(await desk.balanceOf('reserve')).toBe(reserve - 800_00)
    expect(await desk.balanceOf('deployed')).toBe(deployed + 800_00)
    // A third of the principal is investors': of 100.00 two thirds come back, rounded up.
    const { body } = await desk.repay(id, { amount: 102.76 })
    expect(body).toMatchObject({ principal: 100, interest: 2.76 })
    expect(await desk.balanceOf('deployed')).toBe(deployed + 733_33)
    expect(await desk.balanceOf('reserve')).toBe(reserve - 800_00 + 66_67 + 2_76)
    await desk.giveBack([id])
    expect(await desk.balanceOf('deployed')).toBe(deployed)
  })

  test('splits any repayments and reversals to the cent', async () => {
    const step = fc.oneof(
      fc.record({ repay: fc.integer({ min: 1, max: 300_00 }) }),
      fc.record({ reverse: fc.nat() }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 1_200_00 }),
        fc.array(step, { minLength: 3, maxLength: 12 }),
        async (fromInvestors, steps) => {
          const before = await desk.balanceOf('deployed')
          const id = await desk.active(
            fromInvestors > 0 ? { fromInvestors: fromInvestors / 100 } : {},
          )
          const paid: string[] = []
          for (const each of steps) {
            if ('repay' in each) {
              const { body, status } = await desk.repay(id, { amount: each.repay / 100 })
              if (status === 200) paid.push(body.repaymentId)
            } else if (paid.length > 0) {
              const [one = ''] = paid.splice(each.reverse % paid.length, 1)
              expect((await desk.reverse(one)).status).toBe(200)
            }
            const [row] = await desk.rows<{ outstanding: number }>(
              'SELECT outstanding::int FROM loans WHERE id = $1',
              id,
            )
            const owed = BigInt(row?.outstanding ?? 0)
            const loan = { principal: 1_200_00n, fromInvestors: BigInt(fromInvestors) }
            expect(BigInt((await desk.balanceOf('deployed')) - before)).toBe(capitalIn(loan, owed))
          }
          for (const one of paid) expect((await desk.reverse(one)).status).toBe(200)
          expect(await desk.balanceOf('deployed')).toBe(before + 1_200_00 - fromInvestors)
          // Of the next one nothing is left to owe.
          await desk.giveBack([id])
        },
      ),
      { numRuns: 8 },
    )
  })

  test('has one share of capital in ledger and database', () =>
    fc.assert(
      // Above 2^63 once principal and debt are multiplied.
      fc.asyncProperty(
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        fc.nat(10_000),
        fc.nat(10_000),
        async (principal, funded, owes) => {
          const fromInvestors = (principal * BigInt(funded)) / 10_000n
          const owed = (principal * BigInt(owes)) / 10_000n
          const [row] = await desk.rows<{ capital: bigint }>(
            `SELECT capital_in(jsonb_populate_record(NULL::loans, $1), $2) AS capital`,
            JSON.stringify({ principal: `${principal}`, from_investors: `${fromInvestors}` }),
            owed,
          )
          expect(BigInt(row?.capital ?? -1)).toBe(capitalIn({ principal, fromInvestors }, owed))
        },
      ),
      { numRuns: 200 },
    ))

  test.each([
    [1_200.01, 'fundingTooMuch'],
    [-1, 'validation'],
    [0.001, 'validation'],
    [0, 'validation'],
  ])('cannot be funded by %s of 1,200', async (fromInvestors, code) => {
    expect(codeOf(await desk.record({ fromInvestors }))).toBe(code)
  })

  test('is named as it is funded to both people', async () => {
    const id = await desk.recorded({ fromInvestors: 400 })
    await desk.askApproval(id)
    const [row] = await desk.rows<{ payload: object }>(
      "SELECT payload FROM proposals WHERE kind = 'APPROVE_LOAN'",
    )
    expect(row?.payload).toMatchObject({ amount: 1_200, fromInvestors: 400 })
    const { body } = await product.call(listAudit, {
      token: supers[0].token,
      query: { agreement: 'APPROVE_LOAN', limit: '1' },
    })
    expect(body).toMatchObject([{ after: { fromInvestors: 400 } }])
    await tamper(product.database, `UPDATE loans SET from_investors = 0 WHERE id = '${id}'`)
    expect((await checkRowsAgainstTrail(product.context.db)).findings.join()).toContain(id)
    await tamper(product.database, `UPDATE loans SET from_investors = 40000 WHERE id = '${id}'`)
  })
})

describe('an operator who lends no principal', () => {
  servedBy({ LEND_PRINCIPAL: 'false' }, 20_000_00n)

  test('has loans of capital alone', async () => {
    expect(codeOf(await desk.record({ fromInvestors: 1 }))).toBe('principalNotLent')
    expect((await desk.record()).status).toBe(200)
  })
})

describe('the ladder', () => {
  servedBy({ COLLECTION_RATE: '50' }, 1_000_00n)

  /** Half of what is due comes. 11,000 of coins, 10,700 owed on day 12, and 300 are free. */
  const halves = () => investing(10_000)
  const investing = async (amount: number) => {
    const investor = await investorWith(product, amount)
    const by = { id: investor.id, from: 'tests' }
    await openInvestment(product.context, {
      by,
      amount: centsFromDollars(amount),
      durationDays: 12,
    })
    return investor
  }
  /** Comes back in a week, without interest. */
  const lent = (amount: number, more: object = {}) =>
    desk.active({ amount, fromInvestors: amount, rateBasisPoints: 0, ...short, ...more }, {}, today)
  const approved = (amount: number, more: object = {}) =>
    desk.approved({ amount, fromInvestors: amount, rateBasisPoints: 0, ...short, ...more })
  /** A loan that waits for the second person who disburses it. */
  const asked = async (amount: number) => {
    const id = await approved(amount)
    const { body } = await desk.disburse(id, undefined, today)
    return { id, proposalId: body.proposalId }
  }

  test('takes what comes back in time to the cent', async () => {
    await halves()
    await lent(300)
    await lent(300)
    const id = await approved(0.02)
    expect(await desk.disburse(id, undefined, today)).toMatchObject({
      status: 409,
      body: { code: 'ladderShort', details: { on: dayFrom(12), short: 0.01 } },
    })
  })

  test('names the day on which a loan leaves a gap', async () => {
    await halves()
    await lent(300, { firstDueOn: dayFrom(14) })
    const id = await approved(10, { firstDueOn: dayFrom(14) })
    expect(await desk.disburse(id, undefined, today)).toMatchObject({
      body: { code: 'ladderShort', details: { on: dayFrom(12), short: 10 } },
    })
  })

  test('lends nothing that investors can withdraw today', async () => {
    await investorWith(product, 5_000)
    await lent(1_000)
    const id = await approved(10)
    expect(await desk.disburse(id, undefined, today)).toMatchObject({
      body: { code: 'ladderShort', details: { on: dayFrom(0), short: 10 } },
    })
  })

  test('counts capital that is lent beside principal', async () => {
    await halves()
    await lent(300)
    // Coins of the free reserve, on which the principal counts.
    const more = { rateBasisPoints: 0, ...short, firstDueOn: dayFrom(30) }
    const id = await desk.approved({ amount: 160, ...more })
    expect(await desk.disburse(id, undefined, today)).toMatchObject({
      body: { code: 'ladderShort', details: { on: dayFrom(12), short: 10 } },
    })
    expect(await desk.statusOf(await desk.active({ amount: 150, ...more }, {}, today))).toBe(
      'ACTIVE',
    )
  })

  test('lets one of two disbursements at one moment pass', async () => {
    await halves()
    await lent(100)
    const both = [await asked(300), await asked(300)]
    const answers = await Promise.all(both.map(({ proposalId }) => desk.agree(proposalId)))
    expect(answers.map(codeOf).toSorted()).toEqual(['ladderShort', undefined])
    const statuses = await Promise.all(both.map(({ id }) => desk.statusOf(id)))
    expect(statuses.toSorted()).toEqual(['ACTIVE', 'APPROVED'])
  })

  test('is looked at again when a loan is booked', async () => {
    await halves()
    await lent(300)
    const { id, proposalId } = await asked(300)
    // It promises 70 of the free reserve, whose coins the loan counted on.
    await investing(1_000)
    expect(codeOf(await desk.agree(proposalId))).toBe('ladderShort')
    expect(await desk.statusOf(id)).toBe('APPROVED')
  })

  test('waits for the groups under way on any node', async () => {
    await halves()
    const { id, proposalId } = await asked(300)
    const group = await product.database.pool.connect()
    try {
      await group.query(`BEGIN; ${shareSql('groups')}`)
      const booking = desk.agree(proposalId)
      await vi.waitFor(
        async () =>
          expect(
            await desk.rows(
              `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCKS.groups} AND mode = 'ExclusiveLock' AND NOT granted`,
            ),
          ).toHaveLength(1),
        { timeout: 60_000 },
      )
      await group.query('COMMIT')
      expect((await booking).status).toBe(200)
    } finally {
      group.release()
    }
    expect(await desk.statusOf(id)).toBe('ACTIVE')
  })

  test.each(['once', 'twice', 'a third time', 'a fourth time'])(
    'sees an investment of its moment or precedes it, %s',
    async () => {
      await halves()
      await lent(300)
      const { id, proposalId } = await asked(300)
      const late = await investorWith(product, 1_000)
      const by = { id: late.id, from: 'tests' }
      await Promise.all([
        openInvestment(elsewhere(), { by, amount: cents(1_000_00n), durationDays: 12 }),
        desk.agree(proposalId),
      ])
      const [order] = await desk.rows<{ first: boolean }>(
        // Each transaction has its number after the lock that orders both.
        `SELECT (SELECT xmin::text::bigint FROM movements WHERE name = 'loan_disbursed' AND reference_id IN (SELECT id FROM loan_disbursements WHERE loan_id = $1))
          < (SELECT max(xmin::text::bigint) FROM movements WHERE name = 'investment_opened') AS first`,
        id,
      )
      expect((await desk.statusOf(id)) === 'ACTIVE').toBe(order?.first === true)
    },
    60_000,
  )
})
