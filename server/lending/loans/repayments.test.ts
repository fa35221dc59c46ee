import { cents } from '@pool/contract/base/money'
import { recountLoan } from '@pool/contract/lending/loans'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { checkLedger, findingOf } from '../../ledger/check/check.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { newReference, openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { actAs, codeOf, type Person, person, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { repayLoan } from './repay.ts'
import { reversalOf, reverseRepayment } from './reverseRepayment.ts'

const product = testProduct({ LOAN_CONCENTRATION: '100' }, { reserve: cents(20_000_00n) })
let first: Person
let second: Person
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  first = await person(product, ['ADMIN'])
  second = await person(product, ['ADMIN'])
  desk = openDesk(product, first, second)
})
afterEach(async () => {
  await expectWhole(product, /oan/)
})

describe('a repayment', () => {
  const small = { amount: 120, instalments: 12 }

  test('is of what is owed, in its time, once', async () => {
    const id = await desk.active(small)
    const { lines } = await desk.storyOf(id)
    const most = lines
      .slice(0, 5)
      .reduce((sum, { principal, interest }) => sum + principal + interest, 0)
    expect(await desk.repay(id, { amount: Math.round(most * 100 + 1) / 100 })).toMatchObject({
      status: 409,
      body: { code: 'repaidTooMuch', details: { most: Math.round(most * 100) / 100 } },
    })
    expect(codeOf(await desk.repay(id, { amount: 1, valueOn: dayFrom(-31) }))).toBe('repaidWhen')
    expect(codeOf(await desk.repay(id, { amount: 1, valueOn: dayFrom(2) }))).toBe('repaidWhen')
    expect(codeOf(await desk.repay(id, { amount: 0 }))).toBe('validation')
    expect(codeOf(await desk.repay(newId(), { amount: 1 }))).toBe('loanNotFound')
    const reference = newReference()
    expect((await desk.repay(id, { amount: 1, reference })).status).toBe(200)
    const again = reference.toUpperCase()
    expect(codeOf(await desk.repay(id, { amount: 1, reference: again }))).toBe('referenceUsed')
    const other = await desk.active(small)
    expect(codeOf(await desk.repay(other, { amount: 1, reference }))).toBe('referenceUsed')
    const first = { amount: 1, valueOn: dayFrom(-30) }
    expect((await desk.repay(other, first)).status).toBe(200)
    await desk.giveBack([id, other])
  })

  test('takes no later interest in several steps', async () => {
    const id = await desk.active(small)
    const { lines } = await desk.storyOf(id)
    const most = lines
      .slice(0, 5)
      .reduce((sum, { principal, interest }) => sum + principal + interest, 0)
    expect((await desk.repay(id, { amount: Math.round(most * 100) / 100 })).status).toBe(200)
    expect(await desk.repay(id, { amount: 0.01 })).toMatchObject({
      status: 409,
      body: { code: 'repaidTooMuch', details: { most: 0 } },
    })
    await desk.giveBack([id])
  })

  test('gives its first answer to a repeated key', async () => {
    const id = await desk.active(small)
    const repeated = { amount: 1, reference: newReference(), key: newReference() }
    const answers = [await desk.repay(id, repeated), await desk.repay(id, repeated)]
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect(answers[0]?.status).toBe(200)
    await desk.giveBack([id])
  })

  test('counts once when processes race with its reference', async () => {
    const [id, other] = [await desk.active(small), await desk.active(small)]
    const reference = newReference()
    const outcomes = await Promise.allSettled(
      [id, other, id, other].map((loanId) =>
        repayLoan(
          { ...product.context, ledger: openLedger(product.database.pool) },
          {
            loanId,
            amount: cents(1_00n),
            reference,
            by: actAs(first),
            valueOn: dayFrom(0),
          },
        ),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('referenceUsed')
    await desk.giveBack([id, other])
  })

  test('finds a reference that another process commits first', async () => {
    const [id, other] = [await desk.active(small), await desk.active(small)]
    const reference = newReference()
    const { superuser } = product.database
    const rival = await superuser.connect()
    await rival.query('BEGIN')
    await rival.query(
      `INSERT INTO loan_repayments (id, loan_id, principal, capital, kept, interest, value_on, reference, recorded_by)
       VALUES (gen_random_uuid(), $1, 0, 0, 0, 1, current_date, $2, $3)`,
      [other, reference, first.id],
    )
    const waits = expect(
      repayLoan(product.context, {
        loanId: id,
        amount: cents(1_00n),
        reference,
        by: actAs(first),
        valueOn: dayFrom(0),
      }),
    ).rejects.toMatchObject({ code: 'referenceUsed' })
    await vi.waitFor(async () => {
      const waiting = 'SELECT FROM pg_locks WHERE NOT granted'
      expect(await desk.rows(waiting)).not.toEqual([])
    })
    await rival.query('COMMIT')
    rival.release()
    await waits
    await tamper(product.database, `DELETE FROM loan_repayments WHERE reference = '${reference}'`)
    await desk.giveBack([id, other])
  })

  test('is split anew when another one comes first', async () => {
    const id = await desk.active(small)
    const { lines } = await desk.storyOf(id)
    await Promise.all(
      Array.from({ length: 6 }, () =>
        repayLoan(
          { ...product.context, ledger: openLedger(product.database.pool) },
          {
            loanId: id,
            amount: cents(3_33n),
            reference: newReference(),
            by: actAs(first),
            valueOn: dayFrom(0),
          },
        ),
      ),
    )
    const { lines: after } = await desk.storyOf(id)
    const paid = after.map((line) => Math.round(line.paid * 100))
    const whole = lines.map(({ principal, interest }) => Math.round((principal + interest) * 100))
    expect(paid.reduce((sum, each) => sum + each, 0)).toBe(6 * 3_33)
    // The oldest are paid whole before the next one.
    const partly = paid.findIndex((each, index) => each < (whole[index] ?? 0))
    expect(paid.slice(0, partly)).toEqual(whole.slice(0, partly))
    expect(after.slice(0, partly).map(({ interestPaid }) => interestPaid)).toEqual(
      lines.slice(0, partly).map(({ interest }) => interest),
    )
    expect(paid.slice(partly + 1).every((each) => each === 0)).toBe(true)
    await desk.giveBack([id])
  })

  test('is reversed as one of its own loan alone', async () => {
    const [id, other] = [await desk.active(small), await desk.active(small)]
    const { body } = await desk.repay(id, { amount: 15 })
    const { context } = product
    const operation = await reversalOf(context, {
      repaymentId: body.repaymentId,
      reason: 'Typed twice',
      by: actAs(second),
    })
    await expect(
      context.ledger.post({ ...operation, loanId: other } as typeof operation),
    ).rejects.toMatchObject({ code: 'repaymentNotFound' })
    expect((await desk.storyOf(id)).repayments.at(-1)?.reversedFor ?? null).toBeNull()
    await desk.giveBack([id, other])
  })

  test('is reversed once, also where many try', async () => {
    const id = await desk.active(small)
    const before = await desk.storyOf(id)
    const [reserve, deployed] = [await desk.balanceOf('reserve'), await desk.balanceOf('deployed')]
    const reference = newReference()
    const { body } = await desk.repay(id, { amount: 15, reference })
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() =>
        reverseRepayment(
          { ...product.context, ledger: openLedger(product.database.pool) },
          { repaymentId: body.repaymentId, reason: 'Typed twice', by: actAs(second) },
        ),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(codeOf(await desk.reverse(body.repaymentId))).toBe('repaymentReversed')
    expect(codeOf(await desk.reverse(crypto.randomUUID()))).toBe('repaymentNotFound')
    expect([await desk.balanceOf('reserve'), await desk.balanceOf('deployed')]).toEqual([
      reserve,
      deployed,
    ])
    const after = await desk.storyOf(id)
    expect(after.loan).toEqual(before.loan)
    expect(after.lines).toEqual(before.lines)
    expect(after.repayments).toMatchObject([{ reference, reversedFor: 'Typed twice' }])
    expect((await desk.repay(id, { amount: 15, reference })).status).toBe(200)
    await desk.giveBack([id])
  })
})

test('a repaid loan takes interest again that was reversed', async () => {
  const id = await desk.active({ schedule: 'interestOnly', instalments: 2 })
  const { lines } = await desk.storyOf(id)
  const [interest = 0, last = 0] = lines.map((line) => line.interest)
  const { body } = await desk.repay(id, { amount: interest })
  expect((await desk.repay(id, { amount: 1_200 + last })).body.status).toBe('REPAID')
  expect(codeOf(await desk.repay(id, { amount: 1 }))).toBe('loanIs')
  expect((await desk.reverse(body.repaymentId)).status).toBe(200)
  expect((await desk.storyOf(id)).loan).toMatchObject({ status: 'REPAID', nextDue: interest })
  expect((await desk.repay(id, { amount: interest })).body).toMatchObject({
    interest,
    principal: 0,
    status: 'REPAID',
  })
  expect((await desk.storyOf(id)).loan).toMatchObject({ nextDueOn: null, overdue: 0 })
})

describe('later repayments', () => {
  const dollars = (sum: number) => Math.round(sum * 100) / 100
  const askRecount = (id: string) =>
    product.call(recountLoan, {
      token: first.token,
      params: { id },
      payload: { reason: 'The first one was typed twice' },
    })

  /** A loan whose first of three repayments, each of an instalment, was reversed. */
  const withGap = async () => {
    const id = await desk.active({ amount: 120, instalments: 12 })
    const { lines } = await desk.storyOf(id)
    const repaid: { reference: string; amount: number; repaymentId: string }[] = []
    for (const { principal, interest } of lines.slice(0, 3)) {
      const payment = { amount: dollars(principal + interest), reference: newReference() }
      repaid.push({ ...payment, ...(await desk.repay(id, payment)).body })
    }
    await desk.reverse(repaid[0]?.repaymentId ?? '')
    return { id, later: repaid.slice(1) }
  }

  /** The sums that stand, and whether a paid instalment comes after an open one. */
  const stateOf = async (id: string) => {
    const { lines, repayments } = await desk.storyOf(id)
    const standing = repayments.filter(({ reversedFor }) => reversedFor === null)
    const open = lines.findIndex((each) => dollars(each.principal + each.interest) > each.paid)
    return {
      references: standing.map(({ reference }) => reference).sort(),
      repaid: dollars(standing.reduce((sum, each) => sum + each.principal + each.interest, 0)),
      paid: dollars(lines.reduce((sum, each) => sum + each.paid, 0)),
      hasGap: lines.slice(open + 1).some(({ paid }) => paid > 0),
    }
  }

  test('pay the oldest instalment once two people agree', async () => {
    const { id, later } = await withGap()
    const whole = {
      references: later.map(({ reference }) => reference).sort(),
      repaid: dollars(later.reduce((sum, { amount }) => sum + amount, 0)),
    }
    const before = await desk.balanceOf('custody')
    expect(await stateOf(id)).toMatchObject({ ...whole, paid: whole.repaid, hasGap: true })
    const { body } = await askRecount(id)
    expect((await desk.agree(body.proposalId, first)).status).toBe(403)
    expect((await stateOf(id)).hasGap).toBe(true)
    expect((await desk.agree(body.proposalId)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ ...whole, paid: whole.repaid, hasGap: false })
    expect(await desk.balanceOf('custody')).toBe(before)
    expect(codeOf(await askRecount(id))).toBe('nothingToPlace')
    await desk.giveBack([id])
  })

  test('are others once one of them is taken back', async () => {
    const { id, later } = await withGap()
    const { body } = await askRecount(id)
    await desk.reverse(later[0]?.repaymentId ?? '')
    expect(codeOf((await desk.agree(body.proposalId)) as never)).toBe('repaymentsChanged')
    // Nor does another writer book them under that agreement.
    await expect(
      product.database.pool.query(
        `INSERT INTO loan_repayments (id, loan_id, principal, capital, interest, recovered, kept, value_on, reference, recorded_by, agreed_id)
         VALUES (gen_random_uuid(), $1, 100, 100, 0, 0, 0, current_date, $2, $3, $4)`,
        [id, newReference(), first.id, body.proposalId],
      ),
    ).rejects.toThrow('one person may not change that much')
    await desk.giveBack([id])
  })

  test('are placed once, whoever else books meanwhile', async () => {
    const elsewhere = () => ({ ...product.context, ledger: openLedger(product.database.pool) })
    for (let round = 0; round < 3; round += 1) {
      const { id, later } = await withGap()
      const { body } = await askRecount(id)
      const amount = cents(1_00n)
      const [repaymentId = ''] = later.slice(1).map((each) => each.repaymentId)
      const by = actAs(first)
      const [agreed, again, reversed, repaid] = await Promise.allSettled([
        desk.agree(body.proposalId),
        desk.agree(body.proposalId),
        reverseRepayment(elsewhere(), { repaymentId, reason: 'Typed twice', by }),
        repayLoan(elsewhere(), {
          loanId: id,
          amount,
          valueOn: dayFrom(0),
          reference: newReference(),
          by,
        }),
      ])
      const approvals = [agreed, again].flatMap((each) =>
        each?.status === 'fulfilled' && each.value.status === 200 ? 1 : [],
      )
      expect(approvals.length).toBeLessThan(2)
      // The repayment that was named is taken back by one of them alone.
      expect(approvals.length + (reversed?.status === 'fulfilled' ? 1 : 0)).toBe(1)
      expect(repaid?.status).toBe('fulfilled')
      const { references, repaid: sum, paid, hasGap } = await stateOf(id)
      expect(new Set(references).size).toBe(references.length)
      expect([paid, references.length]).toEqual([sum, approvals.length === 1 ? 3 : 2])
      if (approvals.length === 1) expect(hasGap).toBe(false)
      await desk.giveBack([id])
    }
  })
})

test('rows that SQL wrote are named by the audit', async () => {
  const id = await desk.active({ amount: 12 })
  const { body } = await desk.repay(id, { amount: 1 })
  const found = async () =>
    (await checkRowsAgainstTrail(product.context.db)).findings.filter((each) => /oan/.test(each))
  const planted = [
    [
      'audit_entries',
      "action = 'agreement.approved' AND after ->> 'kind' = 'APPROVE_LOAN'",
      /is ACTIVE, has no entries of two/,
    ],
    [
      'audit_entries',
      "action = 'agreement.approved' AND after ->> 'kind' = 'DISBURSE_LOAN'",
      /disbursement of loan .* has no entries/,
    ],
    ['audit_entries', "action = 'loan.recorded'", /without an entry of its terms/],
    ['audit_entries', "action = 'loan.repaid'", /Repayment .* is not on record/],
  ] as const
  for (const [table, which, expected] of planted) {
    const where = `${which} AND subject_id = '${id}'`
    await desk.rows(`CREATE TABLE kept AS SELECT * FROM ${table} WHERE ${where}`)
    await tamper(product.database, `DELETE FROM ${table} WHERE ${where}`)
    expect(await found()).toEqual([expect.stringMatching(expected)])
    await tamper(
      product.database,
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE TABLE kept; DROP TABLE kept`,
    )
  }
  expect(await found()).toEqual([])
  expect((await desk.reverse(body.repaymentId)).status).toBe(200)
})

test.each([
  ['loans', "period = 'quarterly'", /without an entry of its terms/],
  ['loans', 'due_day = 9', /without an entry of its terms/],
  ['loan_disbursements', 'disbursed_on = disbursed_on - 1', /was disbursed, but no entry/],
  ['borrowers', "grade = 'A'", /Borrower .* was recorded without an entry/],
  ['borrowers', 'user_id = recorded_by', /Borrower .* was recorded without an entry/],
] as const)('the audit names a change of %s to %s', async (table, change, expected) => {
  const id = await desk.active({ amount: 12 })
  const { loan } = await desk.storyOf(id)
  const which = {
    loans: `id = '${id}'`,
    loan_disbursements: `loan_id = '${id}'`,
    borrowers: `id = '${loan.borrowerId}'`,
  }[table]
  const [column = ''] = change.split(' ')
  const [before] = await desk.rows<{ value: string | null }>(
    `SELECT ${column}::text AS value FROM ${table} WHERE ${which}`,
  )
  await tamper(product.database, `UPDATE ${table} SET ${change} WHERE ${which}`)
  const { findings } = await checkRowsAgainstTrail(product.context.db)
  const value = before?.value == null ? 'NULL' : `'${before.value}'`
  await tamper(product.database, `UPDATE ${table} SET ${column} = ${value} WHERE ${which}`)
  // A grade is compared with its history, too.
  const named = findings.filter((each) => !/grade A, but not as the newest/.test(each))
  expect(named).toEqual([expect.stringMatching(expected)])
})

test('the check finds loans that contradict the ledger', async () => {
  const id = await desk.active({ amount: 12 })
  const { body } = await desk.repay(id, { amount: 1 })
  const finding = async () => findingOf(await checkLedger(product.context.db))
  const planted = [
    ['loans', 'outstanding = outstanding - 1', `id = '${id}'`, /The loan .* owes/],
    [
      'loan_instalments',
      'principal_paid = 1',
      `loan_id = '${id}' AND number = 9`,
      /The loan .* owes/,
    ],
    ['loan_repayments', 'interest = interest + 1', `id = '${body.repaymentId}'`, /The repayment/],
    ['loan_disbursements', 'principal = principal + 1', `loan_id = '${id}'`, /The disbursement/],
  ] as const
  for (const [table, change, which, expected] of planted) {
    await desk.rows(`CREATE TABLE kept AS SELECT * FROM ${table} WHERE ${which}`)
    await tamper(product.database, `UPDATE ${table} SET ${change} WHERE ${which}`)
    expect(await finding()).toMatch(expected)
    await tamper(
      product.database,
      `DELETE FROM ${table} WHERE ${which}; INSERT INTO ${table} TABLE kept; DROP TABLE kept`,
    )
    expect(await finding()).toBeUndefined()
  }
})
