import { cents } from '@pool/contract/base/money'
import { borrowerStory, correctBorrower, listBorrowers } from '@pool/contract/lending/borrowers'
import { importLoanFile } from '@pool/contract/lending/loanFiles'
import {
  addBorrowerDocument,
  addCollateral,
  addLoanDocument,
  withdrawCollateral,
  withdrawDocument,
  writeUpdate,
} from '@pool/contract/lending/loanRecords'
import { listLoans } from '@pool/contract/lending/loans'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
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
  await expectWhole(product, /./)
})

const DIGEST = 'ab'.repeat(32)
const house = () => ({ description: 'A house', value: 9_000.5, valuedOn: dayFrom(-3) })
const deed = { title: 'Deed', sha256: DIGEST.toUpperCase(), link: 'https://files.example.com/deed' }

const secure = (id: string, more: object = {}, by = first) =>
  product.call(addCollateral, {
    token: by.token,
    params: { id },
    payload: { ...house(), ...more },
  })
const file = (id: string, more: object = {}, by = first) =>
  product.call(addLoanDocument, { token: by.token, params: { id }, payload: { ...deed, ...more } })
const write = (id: string, text: string, by = first) =>
  product.call(writeUpdate, { token: by.token, params: { id }, payload: { text } })
const withdraw = (
  call: typeof withdrawCollateral | typeof withdrawDocument,
  id: string,
  reason = 'Typed twice',
  by = second,
) => product.call(call, { token: by.token, params: { id }, payload: { reason } })
const query = (text: string, ...values: unknown[]) => product.database.pool.query(text, values)

describe('collateral of a loan', () => {
  test('is kept with its value, day and author', async () => {
    const id = await desk.recorded()
    expect((await secure(id)).status).toBe(200)
    const { collateral, events } = await desk.storyOf(id)
    expect(collateral).toMatchObject([
      { ...house(), recordedBy: first.email, withdrawnFor: null, withdrawnAt: null },
    ])
    expect(events.at(-1)).toMatchObject({ what: 'collateralAdded', amount: 9_000.5 })
  })

  test('is withdrawn once, with a reason, and stays', async () => {
    const id = await desk.recorded()
    const { body } = await secure(id)
    expect(codeOf(await withdraw(withdrawCollateral, body.id, ' '))).toBe('validation')
    const both = await Promise.all([1, 2].map(() => withdraw(withdrawCollateral, body.id)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await desk.storyOf(id)).collateral).toMatchObject([
      { description: 'A house', withdrawnFor: 'Typed twice', withdrawnBy: second.email },
    ])
    expect(codeOf(await withdraw(withdrawCollateral, body.id))).toBe('recordWithdrawn')
    expect(codeOf(await withdraw(withdrawCollateral, id))).toBe('collateralNotFound')
  })

  test.each([
    ['a value of zero', { value: 0 }],
    ['half a cent', { value: 1.005 }],
    ['no text', { description: ' ' }],
    ['a day that is not there', { valuedOn: '2026-02-30' }],
    ['a day in the future', { valuedOn: dayFrom(2) }],
  ])('with %s is refused', async (_, more) => {
    const id = await desk.recorded()
    expect(codeOf(await secure(id, more))).toBe('validation')
    expect((await desk.storyOf(id)).collateral).toEqual([])
  })

  test('cannot be changed or deleted by SQL', async () => {
    const { body } = await secure(await desk.recorded())
    await expect(
      query('UPDATE loan_collateral SET value = 1 WHERE id = $1', body.id),
    ).rejects.toThrow()
    for (const text of ['DELETE FROM loan_collateral', 'UPDATE loan_collateral SET value = 1'])
      await expect(product.database.superuser.query(text)).rejects.toThrow(/loan_collateral/)
  })
})

describe('a document', () => {
  test('of a loan or borrower has digest and link', async () => {
    const id = await desk.recorded()
    const { borrowerId } = (await desk.storyOf(id)).loan
    const { body } = await file(id)
    const call = { token: first.token, params: { id: borrowerId } }
    expect((await product.call(addBorrowerDocument, { ...call, payload: deed })).status).toBe(200)
    const shown = { ...deed, sha256: DIGEST, recordedBy: first.email, withdrawnAt: null }
    expect((await desk.storyOf(id)).documents).toMatchObject([shown])
    const of = async () => (await product.call(borrowerStory, call)).body.documents
    expect(await of()).toMatchObject([shown])
    const [ofBorrower] = await of()
    for (const each of [body.id, ofBorrower?.id ?? ''])
      expect((await withdraw(withdrawDocument, each)).status).toBe(200)
    expect(codeOf(await withdraw(withdrawDocument, body.id))).toBe('recordWithdrawn')
    expect(await of()).toMatchObject([{ withdrawnFor: 'Typed twice', withdrawnBy: second.email }])
  })

  test.each([
    ['http', { link: 'http://files.example.com/deed' }],
    ['a script', { link: 'javascript:alert(1)' }],
    ['a password', { link: 'https://user:secret@files.example.com/deed' }],
    ['no host', { link: 'https://' }],
    ['a short digest', { sha256: DIGEST.slice(1) }],
    ['a digest of other letters', { sha256: 'g'.repeat(64) }],
    ['no title', { title: '' }],
  ])('with %s is refused', async (_, more) => {
    const id = await desk.recorded()
    expect(codeOf(await file(id, more))).toBe('validation')
    expect((await desk.storyOf(id)).documents).toEqual([])
  })

  test('of no loan is refused, as is one of none', async () => {
    const id = crypto.randomUUID()
    expect(codeOf(await file(id))).toBe('loanNotFound')
    expect(codeOf(await withdraw(withdrawDocument, id))).toBe('documentNotFound')
    const call = { token: first.token, params: { id }, payload: deed }
    expect(codeOf(await product.call(addBorrowerDocument, call))).toBe('borrowerNotFound')
  })
})

test('a borrower of the staff records nothing about themselves', async () => {
  const id = await desk.recorded({}, { relation: 'staff', userEmail: second.email })
  const answers = [await secure(id, {}, second), await file(id, {}, second)]
  answers.push(await write(id, 'All is well', second))
  const { body } = await secure(id)
  const ended = await withdraw(withdrawCollateral, body.id)
  expect([...answers, ended].map(codeOf)).toEqual(Array(4).fill('ownLoan'))
})

describe('an update of a loan', () => {
  test('has at most 2,000 characters and never changes', async () => {
    const id = await desk.recorded()
    expect((await desk.storyOf(id)).loan).toMatchObject({ lastUpdateAt: null, isSilent: false })
    expect(codeOf(await write(id, 'x'.repeat(2_001)))).toBe('validation')
    expect(codeOf(await write(id, ' \n '))).toBe('validation')
    expect((await write(id, `Called.\n${'é'.repeat(1_992)}`)).status).toBe(200)
    const { loan, updates, events } = await desk.storyOf(id)
    expect(updates).toMatchObject([{ by: first.email, at: loan.lastUpdateAt }])
    expect(events.at(-1)).toMatchObject({ what: 'updated', by: [first.email] })
    for (const text of ["UPDATE loan_updates SET text = 'x'", 'DELETE FROM loan_updates'])
      await expect(product.database.superuser.query(text)).rejects.toThrow(/loan_updates/)
  })

  test('missing for 14 days makes a late loan stand out', async () => {
    const due = async () =>
      (
        await product.call(listLoans, {
          token: first.token,
          query: { updates: 'due', limit: '50' },
        })
      ).body.map(({ id }) => id)
    // The first instalment was due 23 days ago, or 13.
    const [silent, young] = [await desk.active(), await desk.active()]
    await tamper(
      product.database,
      `UPDATE loan_instalments SET due_on = due_on + 10 WHERE loan_id = '${young}'`,
    )
    expect(await due()).toEqual([silent])
    expect((await desk.storyOf(silent)).loan).toMatchObject({ isSilent: true, daysPastDue: 23 })
    expect((await desk.storyOf(young)).loan).toMatchObject({ isSilent: false, daysPastDue: 13 })
    await write(silent, 'They promise to pay on Friday')
    expect(await due()).toEqual([])
    const backdate = (days: number) =>
      tamper(
        product.database,
        `UPDATE loan_updates SET created_at = now() - interval '${days} days' WHERE loan_id = '${silent}'`,
      )
    await backdate(13)
    expect(await due()).toEqual([])
    await backdate(14)
    expect(await due()).toEqual([silent])
    await desk.giveBack([silent, young])
    expect(await due()).toEqual([])
  })
})

describe('the grades of a borrower', () => {
  const correct = (id: string, more: object) =>
    product.call(correctBorrower, {
      token: second.token,
      params: { id },
      payload: {
        name: 'Ann Mason',
        country: 'DE',
        kind: 'person',
        relation: 'none',
        grade: 'B',
        gradeReason: 'Two years of accounts',
        reason: 'News',
        ...more,
      },
    })

  test('stay with their date, reason and author', async () => {
    const { body } = await desk.borrower()
    await correct(body.id, { name: 'Anne Mason' })
    await correct(body.id, { grade: 'D', gradeReason: 'A late year' })
    await correct(body.id, { grade: 'D', gradeReason: 'Two late years' })
    const story = await product.call(borrowerStory, {
      token: first.token,
      params: { id: body.id },
    })
    expect(story.body.grades).toMatchObject([
      { grade: 'D', reason: 'Two late years', by: second.email },
      { grade: 'D', reason: 'A late year', by: second.email },
      { grade: 'B', reason: 'Two years of accounts', by: first.email },
    ])
    expect(story.body.borrower.gradedAt).toEqual(story.body.grades[0]?.at)
    for (const text of ["UPDATE borrower_grades SET grade = 'A'", 'DELETE FROM borrower_grades'])
      await expect(product.database.superuser.query(text)).rejects.toThrow(/borrower_grades/)
  })

  test('that SQL writes or overwrites are named', async () => {
    const { body } = await desk.borrower()
    const forge = (grade: string, reason: string) =>
      query(
        'UPDATE borrowers SET grade = $2, grade_reason = $3 WHERE id = $1',
        body.id,
        grade,
        reason,
      )
    await forge('A', 'A friend')
    expect(await findings()).toContainEqual(expect.stringMatching(/^The grade A of borrower/))
    await tamper(
      product.database,
      `DELETE FROM borrower_grades WHERE borrower_id = '${body.id}' AND number > 1`,
    )
    expect(await findings()).toContainEqual(expect.stringMatching(/not as the newest one/))
    await tamper(
      product.database,
      `UPDATE borrowers SET grade = 'B', grade_reason = 'Two years of accounts' WHERE id = '${body.id}'`,
    )
  })
})

test('records that SQL wrote or took away are named', async () => {
  const id = await desk.recorded()
  const [collateral, document, update] = [
    await secure(id),
    await file(id),
    await write(id, 'Called'),
  ]
  const named = async (statement: string, back: string, sentence: RegExp) => {
    await tamper(product.database, statement)
    expect(await findings()).toContainEqual(expect.stringMatching(sentence))
    await tamper(product.database, back)
    expect(await findings()).toEqual([])
  }
  const one = `WHERE id = '${collateral.body.id}'`
  await named(
    `UPDATE loan_collateral SET value = 1 ${one}`,
    `UPDATE loan_collateral SET value = 900050 ${one}`,
    /^The collateral .* is not on record/,
  )
  await named(
    `UPDATE loan_collateral SET withdrawn_for = 'x', withdrawn_by = recorded_by, withdrawn_at = now() ${one}`,
    `UPDATE loan_collateral SET withdrawn_for = NULL, withdrawn_by = NULL, withdrawn_at = NULL ${one}`,
    /^The collateral .* was withdrawn, but no entry/,
  )
  const link = `WHERE id = '${document.body.id}'`
  await named(
    `UPDATE loan_documents SET link = 'https://example.com/' ${link}`,
    `UPDATE loan_documents SET link = '${deed.link}' ${link}`,
    /^The document .* is not on record/,
  )
  await withdraw(withdrawDocument, document.body.id)
  await named(
    `UPDATE loan_documents SET withdrawn_for = NULL, withdrawn_by = NULL, withdrawn_at = NULL ${link}`,
    `UPDATE loan_documents SET withdrawn_for = 'Typed twice', withdrawn_by = '${second.id}', withdrawn_at = now() ${link}`,
    /^The document .* counts, but an entry withdraws it/,
  )
  await named(
    `CREATE TEMP TABLE gone AS SELECT * FROM loan_updates WHERE id = '${update.body.id}'; DELETE FROM loan_updates WHERE id = '${update.body.id}'`,
    `INSERT INTO loan_updates VALUES ('${update.body.id}', '${id}', 'Called', '${first.id}', now())`,
    /^The update .* is missing/,
  )
})

test('more than 500 borrowers are paged and found', async () => {
  const named = (index: number) => `Paged ${String(index).padStart(3, '0')}`
  const lines = Array.from(
    { length: 620 },
    (_, index) => `${named(index)},DE,person,none,,B,Vetted`,
  )
  const csv = ['name,country,kind,relation,user_email,grade,grade_reason', ...lines].join('\n')
  const params = { kind: 'borrowers' as const }
  await product.call(importLoanFile, {
    token: first.token,
    params,
    payload: { csv, dryRun: false },
  })
  const page = async (cursor?: string) =>
    product.call(listBorrowers, {
      token: first.token,
      query: {
        sort: 'name',
        order: 'asc',
        search: 'paged',
        limit: '200',
        ...(cursor && { cursor }),
      },
    })
  const names: string[] = []
  let cursor: string | undefined
  do {
    const { body, page: place } = await page(cursor)
    expect(place?.total).toBe(620)
    names.push(...body.map(({ name }) => name))
    cursor = place?.next ?? undefined
  } while (cursor !== undefined)
  expect(names).toEqual(lines.map((_, index) => named(index)))
  const found = await product.call(listBorrowers, {
    token: first.token,
    query: { search: 'PAGED 619' },
  })
  expect(found.body).toMatchObject([{ name: 'Paged 619', outstanding: 0, loans: 0 }])
})

test('an instalment of interest alone that SQL adds is named', async () => {
  const id = await desk.active()
  await query(
    "INSERT INTO loan_instalments (loan_id, number, due_on, principal, interest) VALUES ($1, 13, '2030-01-01', 0, 5000)",
    id,
  )
  expect(await findings()).toContain(`The schedule of loan ${id} from line 1 has 13 lines, not 12.`)
  await tamper(
    product.database,
    `DELETE FROM loan_instalments WHERE loan_id = '${id}' AND number = 13`,
  )
  const applied = await desk.recorded()
  await query(
    "INSERT INTO loan_instalments (loan_id, number, due_on, principal, interest) VALUES ($1, 1, '2030-01-01', 0, 5000)",
    applied,
  )
  expect(await findings()).toContain(
    `Loan ${applied} has lines of a schedule, but was not disbursed.`,
  )
  await tamper(product.database, `DELETE FROM loan_instalments WHERE loan_id = '${applied}'`)
  await desk.giveBack([id])
})
