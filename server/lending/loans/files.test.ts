import { cents } from '@pool/contract/base/money'
import {
  exportLoanFile,
  FILE_PROBLEMS,
  importLoanFile,
  type LoanFileKind,
} from '@pool/contract/lending/loanFiles'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectWhole } from '../../testing/decisions.ts'
import { newReference, openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { type Person, person, testProduct } from '../../testing/product.ts'
import { httpOf } from '../../testing/request.ts'
import { longestTurn, MOST_OF_A_TURN } from '../../testing/turns.ts'

const product = testProduct({ LOAN_CONCENTRATION: '100' }, { reserve: cents(20_000_00n) })
let first: Person
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  first = await person(product, ['ADMIN'])
  desk = openDesk(product, first, await person(product, ['ADMIN']))
})
afterAll(async () => {
  await expectWhole(product, /oan/)
})

const asked = (kind: LoanFileKind, lines: readonly string[], dryRun = false) => ({
  token: first.token,
  params: { kind },
  payload: { csv: lines.join('\r\n'), dryRun },
})
const send = (kind: LoanFileKind, lines: readonly string[], dryRun = false) =>
  product.call(importLoanFile, asked(kind, lines, dryRun))
const counted = async (table: string) => (await desk.rows(`SELECT FROM ${table}`)).length

const BORROWERS = 'name,country,kind,relation,user_email,grade,grade_reason'
const LOANS =
  'borrower,purpose,amount,rate_basis_points,schedule,period,day_count,instalments,due_day,disburse_on,first_due_on'
const borrower = (name: string, more = 'none,') => `"${name}",de,person,${more},B,"Vetted, twice"`
const loanOf = (name: string, amount: number | string = 1_200) =>
  `${name},business,${amount},1200,annuity,monthly,30e360,12,15,2026-01-15,2026-02-15`

describe('a file of borrowers and loans', () => {
  test('is recorded whole, and once more as an export', async () => {
    const lines = [BORROWERS, borrower('Doe, Jane'), borrower('Roe', `staff,${first.email}`)]
    expect((await send('borrowers', lines, true)).body).toEqual({
      lines: 2,
      recorded: 0,
      skipped: 0,
      problems: [],
      takesTwo: false,
      proposalId: null,
    })
    expect(await counted('borrowers')).toBe(0)
    expect((await send('borrowers', lines)).body).toMatchObject({ recorded: 2, problems: [] })
    expect((await send('loans', [LOANS, loanOf('"Doe, Jane"'), loanOf('Roe')])).body).toMatchObject(
      {
        recorded: 2,
        problems: [],
      },
    )
    const { body } = await product.call(exportLoanFile, {
      token: first.token,
      params: { kind: 'loans' },
    })
    expect(body.csv.split('\r\n')).toHaveLength(4)
    expect(body.csv).toContain(',business,1200.00,1200,annuity,monthly,30e360,12,15,2026-01-15')
  })

  test('with bad lines names each and writes nothing', async () => {
    const before = [await counted('borrowers'), await counted('loans')]
    const bad = await send('borrowers', [
      BORROWERS,
      borrower('Fine'),
      borrower('Related', 'staff,'),
      borrower('Unknown', 'none,nowhere@example.com'),
      ',de,person,none,,B,Vetted',
      'Short,de',
      borrower('Grade').replace(',B,', ',F,'),
    ])
    expect(bad.body).toMatchObject({ lines: 6, recorded: 0 })
    expect(bad.body.problems.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7])
    const loans = await send('loans', [
      LOANS,
      loanOf('Roe', 1_300),
      loanOf('Unheard of'),
      loanOf('Roe', '1.200,00'),
      loanOf('Roe', -5),
      loanOf('Roe').replace('2026-02-15', '2026-02-16'),
      loanOf('Roe').replace('2026-01-15', '2026-02-30'),
    ])
    expect(loans.body.problems.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7])
    expect((await send('loans', ['borrower,amount'])).body.problems).toMatchObject([{ line: 1 }])
    expect([await counted('borrowers'), await counted('loans')]).toEqual(before)
  })

  test('of 10,000 lines with one bad writes nothing', async () => {
    const before = await counted('borrowers')
    const lines = Array.from({ length: 10_000 }, (_, index) => borrower(`Borrower ${index}`))
    const bad = lines.with(7_776, borrower('').replace('""', ''))
    expect((await send('borrowers', [BORROWERS, ...bad])).body).toMatchObject({
      lines: 10_000,
      recorded: 0,
      problems: [{ line: 7_778 }],
    })
    expect(await counted('borrowers')).toBe(before)
    expect((await send('borrowers', [BORROWERS, ...lines])).body.recorded).toBe(10_000)
    expect(await counted('borrowers')).toBe(before + 10_000)
    const long = [BORROWERS, ...lines, borrower('One more')]
    expect((await send('borrowers', long)).body.problems).toMatchObject([{ line: 1 }])
  })
})

describe('a file that says another thing than was meant', () => {
  const heading = 'loan_id,amount,value_on,reference'

  test('names the line on which a quote opens', async () => {
    const id = await desk.active()
    const lineOf = (reference: string) => `${id},1,${dayFrom(0)},${reference}`
    const references = [newReference(), newReference(), newReference()]
    const [one = '', two = '', three = ''] = references.map(lineOf)
    const problems = async (lines: readonly string[]) => {
      const { body } = await send('repayments', [heading, ...lines])
      expect(body.recorded).toBe(0)
      return body.problems.map(({ line, code }) => `${line} ${code}`)
    }
    const open = lineOf(`"${references[0]}`)
    expect(await problems([open, two, three])).toEqual(['2 quoteOpen'])
    // The quote of a later line closes it.
    expect(await problems([open, two, `${three}"`])).toEqual(['2 quoteOpen'])
    expect(await problems([one, open, `"${two}`])).toEqual(['3 quoteOpen'])
    expect(await problems([lineOf(`"${references[0]}"x`)])).toEqual(['2 quoteOpen'])
    expect((await send('repayments', [`"${heading}`, one])).body.problems).toMatchObject([
      { line: 1, code: 'quoteOpen' },
    ])
  })

  test('names lines whose letters another code lost', async () => {
    const lines = [BORROWERS, borrower('Jos\u{fffd}'), borrower('José')]
    expect((await send('borrowers', lines)).body).toMatchObject({
      recorded: 0,
      problems: [{ line: 2, code: 'signLost' }],
    })
    const { method, path } = httpOf(importLoanFile, { params: { kind: 'borrowers' } })
    const inAnotherCode = await product.app.inject({
      method,
      url: path,
      headers: { authorization: `Bearer ${first.token}`, 'content-type': 'application/json' },
      payload: Buffer.from(JSON.stringify({ csv: 'Jos\u00e9', dryRun: true }), 'latin1'),
    })
    expect(inAnotherCode.statusCode).toBe(400)
  })

  test('takes an empty last column for none', async () => {
    const lines = [`${BORROWERS},`, `${borrower('Empty End')},`, `${borrower('Short End')}`]
    expect((await send('borrowers', lines)).body).toMatchObject({ recorded: 2, problems: [] })
    const more = [`${BORROWERS},`, `${borrower('Full End')},x`]
    expect((await send('borrowers', more)).body.problems).toMatchObject([{ code: 'cellsDiffer' }])
  })

  test('records no borrower or loan twice, also at once', async () => {
    const lines = [BORROWERS, borrower('Twice Sent'), borrower('Once More')]
    const both = await Promise.all([send('borrowers', lines), send('borrowers', lines)])
    expect(both.map(({ body }) => body.recorded).sort()).toEqual([0, 2])
    const again = [...lines, borrower('Fresh'), borrower('FRESH')]
    expect((await send('borrowers', again)).body.problems).toMatchObject(
      [2, 3, 5].map((line) => ({ line, code: 'borrowerTwice' })),
    )
    const loans = [LOANS, loanOf('Twice Sent'), loanOf('Once More')]
    const sent = await Promise.all([send('loans', loans), send('loans', loans)])
    expect(sent.map(({ body }) => body.recorded).sort()).toEqual([0, 2])
    const others = [...loans, loanOf('Twice Sent', 900), loanOf('Twice Sent', 900)]
    expect((await send('loans', others)).body.problems).toMatchObject(
      [2, 3, 5].map((line) => ({ line, code: 'loanTwice' })),
    )
  })

  test('of 4 MB is read while others are served', async () => {
    const open = [heading, `x,1,${dayFrom(0)},"a`, ...Array(300_000).fill('1,2,3,4')]
    const bad = [BORROWERS, ...Array(9_990).fill('a,b,c,d,e,f,g')]
    await send('repayments', open)
    for (const [kind, lines] of [
      ['repayments', open],
      ['borrowers', bad],
    ] as const) {
      // The client's own work is none of the server's.
      const { path, ...written } = httpOf(importLoanFile, asked(kind, lines, true))
      const sending = async () => {
        const { statusCode } = await product.app.inject({ url: path, ...written })
        expect(statusCode).toBe(200)
      }
      expect(await longestTurn(sending)).toBeLessThan(MOST_OF_A_TURN)
    }
    const { problems } = (await send('borrowers', bad)).body
    expect(problems).toHaveLength(FILE_PROBLEMS + 1)
    expect(problems.at(-1)?.code).toBe('moreProblems')
  })
})

test('a file of repayments is judged before it is posted', async () => {
  const id = await desk.active()
  const lineOf = (amount: number, reference: string, valueOn = dayFrom(0)) =>
    `${id},${amount},${valueOn},${reference}`
  const heading = 'loan_id,amount,value_on,reference'
  const [one, two] = [newReference(), newReference()]
  // The fourth line pays too much once the others are paid.
  const lines = [heading, lineOf(100, one), lineOf(300, two), lineOf(200, newReference())]
  const bad = await send('repayments', [
    ...lines,
    lineOf(1, one.toUpperCase()),
    lineOf(1, newReference(), dayFrom(3)),
    `${crypto.randomUUID()},1,${dayFrom(0)},x`,
  ])
  expect(bad.body.problems.map(({ line }) => line)).toEqual([4, 5, 6, 7])
  expect(await counted('loan_repayments')).toBe(0)
  const good = lines.slice(0, 3)
  expect((await send('repayments', good, true)).body).toMatchObject({ recorded: 0, problems: [] })
  expect((await send('repayments', good)).body).toMatchObject({ recorded: 2, skipped: 0 })
  expect((await send('repayments', good)).body).toMatchObject({ recorded: 0, skipped: 2 })
  expect((await desk.storyOf(id)).repayments).toHaveLength(2)
  const [line = ''] = good.slice(1, 2)
  const other = [heading, line.replace(',100,', ',99,')]
  expect((await send('repayments', other)).body.problems).toMatchObject([{ line: 2 }])
  await desk.giveBack([id])
})
