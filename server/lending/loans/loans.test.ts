import { declineOpenProposal, listOpenProposals } from '@pool/contract/agreements/staffProposals'
import { cents } from '@pool/contract/base/money'
import { listLoans } from '@pool/contract/lending/loans'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { newHash, openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { codeOf, fund, type Person, person, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'

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
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  first = await person(product, ['ADMIN'])
  second = await person(product, ['ADMIN'])
  desk = openDesk(product, first, second)
})
afterAll(async () => {
  await expectWhole(product, /oan/)
})

describe('a loan', () => {
  test('is approved, disbursed and repaid, and feeds the reserve', async () => {
    const [reserve, deployed] = [await desk.balanceOf('reserve'), await desk.balanceOf('deployed')]
    const id = await desk.recorded()
    const asked = await desk.askApproval(id)
    expect(codeOf(await desk.agree(asked.body.proposalId, first))).toBe('ownProposal')
    expect(codeOf(await desk.disburse(id))).toBe('loanIs')
    await desk.agree(asked.body.proposalId)
    expect(await desk.statusOf(id)).toBe('APPROVED')
    const evidence = newHash()
    const paid = await desk.disburse(id, second, { evidence })
    expect(await product.call(listOpenProposals, { token: first.token })).toMatchObject({
      body: [{ kind: 'DISBURSE_LOAN', facts: { loanId: id, amount: '$1,200.00', evidence } }],
    })
    await desk.agree(paid.body.proposalId, first)
    expect(await desk.statusOf(id)).toBe('ACTIVE')
    expect(await desk.balanceOf('reserve')).toBe(reserve - 1_200_00)
    expect(await desk.balanceOf('deployed')).toBe(deployed + 1_200_00)

    // Interest of a week on 1,200, 1,100, … 100, each rounded half up.
    const interest = Array.from({ length: 12 }, (_, index) =>
      Math.floor(((12 - index) * 100_00 * 12 * 7 * 2 + 36_500) / (2 * 36_500)),
    )
    const story = await desk.storyOf(id)
    expect(story.lines.map((line) => Math.round(line.interest * 100))).toEqual(interest)
    expect(story).toMatchObject({ evidence, networkName: 'Bitcoin' })
    // Four instalments are due after 23, 16, 9 and 2 days.
    const overdue = 400_00 + interest.slice(0, 4).reduce((sum, each) => sum + each, 0)
    expect(story.loan).toMatchObject({
      daysPastDue: 23,
      overdue: overdue / 100,
      outstanding: 1_200,
    })

    const half = await desk.repay(id, { amount: 50 })
    const [one = 0] = interest
    expect(half.body).toMatchObject({
      interest: one / 100,
      principal: (50_00 - one) / 100,
      status: 'ACTIVE',
    })
    expect(await desk.balanceOf('reserve')).toBe(reserve - 1_200_00 + 50_00)
    expect(await desk.balanceOf('deployed')).toBe(deployed + 1_200_00 - 50_00 + one)
    for (;;) {
      const { loan } = await desk.storyOf(id)
      if (loan.status === 'REPAID') break
      // Each by the day on which it is due or today, the later one.
      await tamper(
        product.database,
        `UPDATE loan_instalments SET due_on = least(due_on, current_date) WHERE loan_id = '${id}'`,
      )
      expect((await desk.repay(id, { amount: loan.nextDue })).status).toBe(200)
    }
    const income = interest.reduce((sum, each) => sum + each, 0)
    expect(await desk.balanceOf('reserve')).toBe(reserve + income)
    expect(await desk.balanceOf('deployed')).toBe(deployed)
    expect((await desk.storyOf(id)).loan).toMatchObject({
      outstanding: 0,
      daysPastDue: 0,
      overdue: 0,
    })
    expect(codeOf(await desk.repay(id))).toBe('loanIs')
    expect((await desk.storyOf(id)).events.slice(0, 3)).toMatchObject([
      { what: 'recorded', by: [first.email] },
      { what: 'approved', by: [first.email, second.email] },
      { what: 'disbursed', by: [second.email, first.email], amount: 1_200 },
    ])
  })

  test('takes two people in every mode and of every relation', async () => {
    const id = await desk.recorded({}, { relation: 'operator' })
    await desk.rows('UPDATE users SET suspended_at = now() WHERE id = $1', second.id)
    expect(codeOf(await desk.askApproval(id))).toBe('loanNeedsTwo')
    await desk.rows('UPDATE users SET suspended_at = NULL WHERE id = $1', second.id)
    const { body } = await desk.askApproval(id)
    await product.call(declineOpenProposal, {
      token: second.token,
      params: { id: body.proposalId },
    })
    expect(await desk.statusOf(id)).toBe('APPLIED')
    expect((await desk.askApproval(id)).status).toBe(200)
    expect(codeOf(await desk.askApproval(id, second))).toBe('proposalAsked')
  })

  test('is never decided about by its borrower', async () => {
    const third = await person(product, ['ADMIN'])
    expect(codeOf(await desk.borrower({ name: 'Ann\nMason' }))).toBe('validation')
    expect(codeOf(await desk.borrower({ relation: 'staff' }))).toBe('relatedUnnamed')
    expect(codeOf(await desk.borrower({ userEmail: 'nowhere@example.com' }))).toBe('userNotFound')
    const own = { relation: 'staff', userEmail: third.email }
    const id = await desk.recorded({}, own)
    expect(codeOf(await desk.askApproval(id, third))).toBe('ownLoan')
    const asked = await desk.askApproval(id)
    expect(codeOf(await desk.agree(asked.body.proposalId, third))).toBe('ownLoan')
    await desk.agree(asked.body.proposalId)
    expect(codeOf(await desk.disburse(id, third))).toBe('ownLoan')
    const paid = await desk.disburse(id)
    expect(codeOf(await desk.agree(paid.body.proposalId, third))).toBe('ownLoan')
    await desk.agree(paid.body.proposalId)
    expect(codeOf(await desk.repay(id, {}, third))).toBe('ownLoan')
    const { body } = await desk.repay(id)
    expect(codeOf(await desk.reverse(body.repaymentId, third))).toBe('ownLoan')
  })
})

test.each([
  [{ amount: 0 }, 'validation'],
  [{ amount: -5 }, 'validation'],
  [{ amount: 10_000_001 }, 'validation'],
  [{ rateBasisPoints: 10_001 }, 'validation'],
  [{ rateBasisPoints: 1.5 }, 'validation'],
  [{ instalments: 0 }, 'validation'],
  [{ instalments: 601 }, 'validation'],
  [{ dueDay: 32 }, 'validation'],
  [{ disburseOn: '2026-02-30' }, 'validation'],
  [{ firstDueOn: dayFrom(-30) }, 'badTerms'],
  [{ firstDueOn: dayFrom(400) }, 'badTerms'],
  [
    { period: 'monthly', firstDueOn: '2026-03-15', disburseOn: '2026-03-01', dueDay: 16 },
    'badTerms',
  ],
  [{ amount: 8, instalments: 599 }, 'badTerms'],
  [{ disburseOn: '9999-12-01', firstDueOn: '9999-12-30' }, 'badTerms'],
  [{ amount: 0.05 }, 'badTerms'],
  [{ borrowerId: crypto.randomUUID() }, 'borrowerNotFound'],
])('terms such as %o are refused', async (more, code) => {
  const before = await desk.rows('SELECT FROM loans')
  expect(codeOf(await desk.record(more))).toBe(code)
  expect(await desk.rows('SELECT FROM loans')).toHaveLength(before.length)
})

describe('a disbursement', () => {
  test('needs evidence of its own on a possible day', async () => {
    const [id, other] = [await desk.approved(), await desk.approved()]
    expect(codeOf(await desk.disburse(id, first, { evidence: 'x' }))).toBe('evidenceInvalid')
    expect(codeOf(await desk.disburse(id, first, { disbursedOn: dayFrom(2) }))).toBe(
      'disbursedWhen',
    )
    expect(codeOf(await desk.disburse(id, first, { disbursedOn: dayFrom(-23) }))).toBe(
      'disbursedWhen',
    )
    // Interest of a mistyped year would be due with the first instalment.
    for (const disbursedOn of ['1000-01-01', dayFrom(-23 - 367)])
      expect(codeOf(await desk.disburse(id, first, { disbursedOn }))).toBe('disbursedWhen')
    const own = await desk.approved({ takenOverOn: undefined })
    expect(await desk.disburse(own, first, { disbursedOn: dayFrom(-24) })).toMatchObject({
      body: { code: 'disbursedBefore', details: { on: dayFrom(0) } },
    })
    const past = await desk.approved({ takenOverOn: dayFrom(-27) })
    expect(await desk.disburse(past, first, { disbursedOn: dayFrom(-25) })).toMatchObject({
      body: { code: 'takenOverBefore', details: { on: dayFrom(-27) } },
    })
    const evidence = newHash()
    const both = [
      await desk.disburse(id, first, { evidence: `${evidence}:0` }),
      await desk.disburse(other, first, { evidence: `${evidence.toUpperCase()}:1` }),
    ]
    const [one, two] = both.map(({ body }) => body.proposalId as string)
    expect((await desk.agree(one ?? '')).status).toBe(200)
    expect(codeOf(await desk.agree(two ?? ''))).toBe('loanEvidenceUsed')
    expect(codeOf(await desk.disburse(id))).toBe('loanIs')
    expect([await desk.statusOf(id), await desk.statusOf(other)]).toEqual(['ACTIVE', 'APPROVED'])
  })

  test('follows its approval by SQL too', async () => {
    const later = { disburseOn: dayFrom(0), firstDueOn: dayFrom(7), takenOverOn: undefined }
    const id = await desk.approved(later)
    const early = product.database.superuser.query(
      `ALTER TABLE loan_disbursements DISABLE TRIGGER loans_are_disbursed_by_two;
       INSERT INTO loan_disbursements (id, loan_id, principal, disbursed_on, network_name, evidence, capital)
       VALUES (new_id(), '${id}', 120000, '${dayFrom(-1)}', 'Bitcoin', 'early', 120000)`,
    )
    await expect(early).rejects.toThrow(/after its approval/)
    const { body } = await desk.disburse(id, first, { disbursedOn: dayFrom(0) })
    expect((await desk.agree(body.proposalId)).status).toBe(200)
    expect(await desk.statusOf(id)).toBe('ACTIVE')
    await desk.giveBack([id])
  })

  test('comes out of the free reserve alone', async () => {
    const id = await desk.approved({ amount: 1_000_000 })
    const free = (await desk.balanceOf('reserve')) / 100
    expect(await desk.disburse(id)).toMatchObject({
      status: 409,
      body: { code: 'loanReserveShort', details: { free } },
    })
  })

  test('races another one for the last of the reserve', async () => {
    const half = (Math.floor((await desk.balanceOf('reserve')) / 2) + 1) / 100
    const loans = [await desk.approved({ amount: half }), await desk.approved({ amount: half })]
    const asked = await Promise.all(loans.map((id) => desk.disburse(id)))
    const answers = await Promise.all(asked.map(({ body }) => desk.agree(body.proposalId)))
    expect(answers.map(codeOf).toSorted()).toEqual(['loanReserveShort', undefined])
    const statuses = await Promise.all(loans.map(desk.statusOf))
    expect(statuses.sort()).toEqual(['ACTIVE', 'APPROVED'])
    expect(await desk.balanceOf('reserve')).toBeLessThan(half * 100)
    await desk.giveBack(loans)
    const refused = asked[answers.findIndex(({ status }) => status !== 200)]
    expect((await desk.agree(refused?.body.proposalId ?? '')).status).toBe(200)
    await desk.giveBack(loans)
  })

  test('that cannot be booked stays open for a second person', async () => {
    const id = await desk.approved({ amount: 12 })
    const { body } = await desk.disburse(id)
    const saysDay = (day: string) =>
      tamper(
        product.database,
        `UPDATE proposals SET payload = payload || '{"disbursedOn": "${day}"}' WHERE id = '${body.proposalId}'`,
      )
    await saysDay('never')
    expect(codeOf(await desk.agree(body.proposalId))).toBe('disbursedWhen')
    expect(await desk.statusOf(id)).toBe('APPROVED')
    await saysDay(dayFrom(-30))
    expect((await desk.agree(body.proposalId)).status).toBe(200)
    await desk.giveBack([id])
  })

  test('races an investment for the last of the reserve', async () => {
    const investor = await fundedWith(5_000)
    const free = await desk.balanceOf('reserve')
    // Its interest of 4 % is more than what the loan leaves.
    const amount = (free - 100_00) / 100
    const id = await desk.approved({ amount })
    const { body } = await desk.disburse(id)
    const invest = openInvestment(
      { ...product.context, ledger: openLedger(product.database.pool) },
      { by: { id: investor.id, from: 'tests' }, amount: cents(5_000_00n), durationDays: 1 },
    )
    const [loan, opened] = await Promise.allSettled([desk.agree(body.proposalId), invest])
    const hasLoan = loan.status === 'fulfilled' && loan.value.status === 200
    expect([hasLoan, opened.status === 'fulfilled'].filter(Boolean)).toHaveLength(1)
    expect(await desk.balanceOf('reserve')).toBe(hasLoan ? 100_00 : free - 200_00)
    if (hasLoan) await desk.giveBack([id])
  })
})

const fundedWith = async (dollars: number) => {
  const investor = await person(product)
  await fund(product, investor, cents(BigInt(dollars) * 100n))
  return investor
}

describe('the database refuses', () => {
  test.each([
    ["UPDATE loans SET status = 'APPROVED' WHERE id = $1", /takes two people/],
    ['UPDATE loans SET principal = principal + 1 WHERE id = $1', /not allowed|permission denied/],
    ['UPDATE loans SET outstanding = 1 WHERE id = $1', /loans_owe_while_active/],
    ['DELETE FROM loans WHERE id = $1', /not allowed|permission denied/],
    [
      `INSERT INTO loan_disbursements (id, loan_id, principal, capital, disbursed_on, network_name, evidence)
       SELECT id, $1, 1, 1, '2026-01-01', 'Bitcoin', 'x' FROM proposals LIMIT 1`,
      /takes two people/,
    ],
  ])('%s', async (text, refused) => {
    const id = await desk.recorded()
    await expect(product.database.pool.query(text, [id])).rejects.toThrow(refused)
  })
})

test('the list shows loans past due first', async () => {
  const id = await desk.active({ amount: 12 })
  const { body } = await product.call(listLoans, { token: first.token })
  const days = body.map(({ daysPastDue }) => daysPastDue)
  expect(days).toEqual(days.toSorted((a, b) => b - a))
  expect(body.find((each) => each.id === id)).toMatchObject({ daysPastDue: 23, status: 'ACTIVE' })
})

describe('the list by pages', () => {
  const COPIES = 23
  const page = (query: Readonly<Record<string, string>>) =>
    product.call(listLoans, { token: first.token, query })
  const walk = async (query: Readonly<Record<string, string>>): Promise<string[]> => {
    const ids: string[] = []
    let cursor: string | null | undefined
    do {
      const { body, page: at } = await page({ ...query, limit: '7', ...(cursor && { cursor }) })
      ids.push(...body.map(({ id }) => id))
      cursor = at?.next
    } while (cursor)
    return ids
  }

  test('has each loan once and counts them all', async () => {
    const id = await desk.active({ amount: 12 })
    await desk.rows(
      `INSERT INTO loans SELECT (jsonb_populate_record(l, jsonb_build_object(
          'id', gen_random_uuid(), 'status', 'APPLIED', 'outstanding', 0, 'principal', 1000 + n, 'purpose', 'other'))).*
        FROM loans AS l, generate_series(1, ${COPIES}) AS n WHERE l.id = $1`,
      id,
    )
    try {
      const whole = (await product.call(listLoans, { token: first.token })).body
      const ids = whole.map((each) => each.id)
      expect(new Set(ids).size).toBe(whole.length)
      for (const sort of ['daysPastDue', 'createdAt', 'outstanding', 'amount', 'borrower']) {
        for (const order of ['asc', 'desc']) {
          const walked = await walk({ sort, order })
          expect(walked.toSorted()).toEqual(ids.toSorted())
        }
      }
      expect((await page({ limit: '0' })).page?.total).toBe(whole.length)
      const applied = whole.filter(({ status }) => status === 'APPLIED').length
      expect(applied).toBeGreaterThanOrEqual(COPIES)
      expect((await page({ limit: '0', status: 'APPLIED' })).page?.total).toBe(applied)
      // A loan is in one band, and one that owes nothing in none.
      const late = await page({ limit: '100', bucket: 'late1,current' })
      expect(late.body.map((each) => each.id)).toContain(id)
      expect(late.page?.total).toBe(whole.filter(({ outstanding }) => outstanding > 0).length)
      const borrowerId = whole.find((each) => each.id === id)?.borrowerId ?? ''
      expect((await page({ limit: '0', borrowerId })).page?.total).toBe(COPIES + 1)
      expect((await page({ limit: '0', search: id })).page?.total).toBe(1)
      expect((await page({ limit: '0', search: 'aNN m' })).page?.total).toBe(whole.length)
    } finally {
      await tamper(product.database, "DELETE FROM loans WHERE purpose = 'other'")
      await desk.rows('SELECT recount_tallies()')
      await desk.giveBack([id])
    }
  })
})
