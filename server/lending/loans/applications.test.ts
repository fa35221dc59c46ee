import { declineOpenProposal } from '@pool/contract/agreements/staffProposals'
import { cents } from '@pool/contract/base/money'
import { correctBorrower, listBorrowers } from '@pool/contract/lending/borrowers'
import { closeLoan } from '@pool/contract/lending/loans'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { codeOf, type Person, person, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'

const product = testProduct({ LOAN_CONCENTRATION: '100' }, { reserve: cents(20_000_00n) })
let first: Person
let second: Person
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  first = await person(product, ['ADMIN'])
  second = await person(product, ['ADMIN'])
  desk = openDesk(product, first, second)
})
const findings = async () => (await checkRowsAgainstTrail(product.context.db)).findings
afterAll(async () => {
  await expectWhole(product, /oan|orrower/)
})

const close = (id: string, more: object = {}, by = first) =>
  product.call(closeLoan, {
    token: by.token,
    params: { id },
    payload: { outcome: 'DECLINED', reason: 'No collateral', ...more },
  })

describe('an application', () => {
  test.each([
    ['WITHDRAWN', 'withdrawn'],
    ['DECLINED', 'declined'],
  ])('is %s with a reason, before or after its approval', async (outcome, event) => {
    for (const id of [await desk.recorded(), await desk.approved()]) {
      expect((await close(id, { outcome })).status).toBe(200)
      const { loan, closedFor, events } = await desk.storyOf(id)
      expect(loan.status).toBe(outcome)
      expect(closedFor).toBe('No collateral')
      expect(events.at(-1)).toMatchObject({ what: event, by: [first.email] })
      expect(codeOf(await close(id))).toBe('loanIs')
      expect(codeOf(await desk.askApproval(id))).toBe('loanIs')
      expect(codeOf(await desk.disburse(id))).toBe('loanIs')
    }
  })

  test('stays open while a step of two waits', async () => {
    const id = await desk.recorded()
    const { body } = await desk.askApproval(id)
    expect(codeOf(await close(id))).toBe('loanWaits')
    await product.call(declineOpenProposal, {
      token: second.token,
      params: { id: body.proposalId },
    })
    expect((await close(id)).status).toBe(200)
  })

  test('ends or is agreed on, never both', async () => {
    const id = await desk.recorded()
    const { body } = await desk.askApproval(id)
    await desk.agree(body.proposalId)
    const asked = await desk.disburse(id)
    const [closing, agreeing] = await Promise.all([close(id), desk.agree(asked.body.proposalId)])
    expect(closing.status).not.toBe(200)
    expect(agreeing.status).toBe(200)
    expect(await desk.statusOf(id)).toBe('ACTIVE')
    expect(codeOf(await close(id))).toBe('loanIs')
    await desk.giveBack([id])
  })

  test('that was paid out does not close', async () => {
    const id = await desk.active({ amount: 12 })
    expect(codeOf(await close(id))).toBe('loanIs')
    await desk.giveBack([id])
  })

  test('is not closed by its own borrower', async () => {
    const own = { relation: 'staff', userEmail: second.email }
    const id = await desk.recorded({}, own)
    expect(codeOf(await close(id, {}, second))).toBe('ownLoan')
    expect(codeOf(await close(id, { reason: ' ' }))).toBe('validation')
    expect((await close(id)).status).toBe(200)
  })

  test('that closed frees the loan that it would refinance', async () => {
    const id = await desk.active({ amount: 12 })
    const { borrowerId } = (await desk.storyOf(id)).loan
    const { body } = await desk.record({ borrowerId, refinancesId: id })
    expect((await close(body.id)).status).toBe(200)
    expect((await desk.storyOf(id)).refinancedById).toBeNull()
    const again = await desk.record({ borrowerId, refinancesId: id })
    expect((await desk.storyOf(id)).refinancedById).toBe(again.body.id)
    await desk.giveBack([id])
  })

  test('cannot be closed past the product', async () => {
    const id = await desk.recorded()
    await expect(
      product.database.pool.query("UPDATE loans SET status = 'DECLINED' WHERE id = $1", [id]),
    ).rejects.toThrow(/loans_closed/)
    await tamper(
      product.database,
      `UPDATE loans SET status = 'DECLINED', closed_for = 'x', closed_by = recorded_by, closed_at = now() WHERE id = '${id}'`,
    )
    expect(await findings()).toContainEqual(expect.stringMatching(/DECLINED, but no entry/))
    await tamper(
      product.database,
      `UPDATE loans SET status = 'APPLIED', closed_for = NULL, closed_by = NULL, closed_at = NULL WHERE id = '${id}'`,
    )
  })
})

describe('the record of a borrower', () => {
  const record = (more: object = {}) => ({
    name: 'Anne Mason',
    country: 'at',
    kind: 'person',
    relation: 'none',
    grade: 'C',
    gradeReason: 'A late year',
    reason: 'Misspelt',
    ...more,
  })
  const correct = (id: string, more: object = {}, by = first) =>
    product.call(correctBorrower, { token: by.token, params: { id }, payload: record(more) })

  test('is corrected, and each version is on record', async () => {
    const loan = await desk.recorded()
    const { borrowerId } = (await desk.storyOf(loan)).loan
    expect((await correct(borrowerId)).status).toBe(200)
    expect((await correct(borrowerId, { relation: 'operator' })).status).toBe(200)
    expect((await desk.storyOf(loan)).loan).toMatchObject({
      borrower: 'Anne Mason',
      relation: 'operator',
    })
    // Loans of related parties count together, so none leaves them with a loan.
    expect(codeOf(await correct(borrowerId))).toBe('relationStays')
    const { body } = await product.call(listBorrowers, { token: first.token })
    const shown = body.find(({ id }) => id === borrowerId)
    expect(shown).toMatchObject({ country: 'AT', grade: 'C', gradeReason: 'A late year' })
    const entries = await desk.rows<{ before: { name: string }; after: { relation: string } }>(
      "SELECT before, after FROM audit_entries WHERE action = 'borrower.corrected' AND subject_id = $1 ORDER BY id",
      borrowerId,
    )
    expect(entries.map(({ before, after }) => [before.name, after.relation])).toEqual([
      ['Ann Mason', 'none'],
      ['Anne Mason', 'operator'],
    ])
    expect((await desk.askApproval(loan)).status).toBe(200)
  })

  test('keeps its account from deciding', async () => {
    const { body } = await desk.borrower({ relation: 'staff', userEmail: second.email })
    const named = { relation: 'staff', userEmail: second.email }
    expect(codeOf(await correct(body.id, { relation: 'staff' }))).toBe('relatedUnnamed')
    expect(codeOf(await correct(body.id, {}, second))).toBe('ownLoan')
    expect(codeOf(await correct(body.id, { ...named, userEmail: first.email }))).toBe('ownLoan')
    expect(codeOf(await correct(crypto.randomUUID()))).toBe('borrowerNotFound')
    expect(codeOf(await correct(body.id, { ...named, reason: '' }))).toBe('validation')
    expect((await correct(body.id, named)).status).toBe(200)
    // Another account can be named until there is a loan.
    const third = await person(product, ['ADMIN'])
    expect((await correct(body.id, { ...named, userEmail: third.email })).status).toBe(200)
    await desk.record({ borrowerId: body.id })
    expect(codeOf(await correct(body.id))).toBe('accountStays')
    expect(codeOf(await correct(body.id, named))).toBe('accountStays')
    expect((await correct(body.id, { ...named, userEmail: third.email })).status).toBe(200)
  })

  test('that SQL changed is found', async () => {
    const { body } = await desk.borrower()
    await tamper(product.database, `UPDATE borrowers SET grade = 'A' WHERE id = '${body.id}'`)
    expect(await findings()).toContainEqual(expect.stringMatching(/^Borrower .* without an entry/))
    await tamper(product.database, `UPDATE borrowers SET grade = 'B' WHERE id = '${body.id}'`)
  })
})
