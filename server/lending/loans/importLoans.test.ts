import { cents } from '@pool/contract/base/money'
import { importLoanFile } from '@pool/contract/lending/loanFiles'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { type Person, person, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { readVintages, readYears } from '../pool/history.ts'
import { postDefaults } from './arrears.ts'

const product = testProduct(
  { LOAN_CONCENTRATION: '100', LEND_PRINCIPAL: 'true' },
  { reserve: cents(20_000_00n) },
)
let first: Person
let second: Person
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  first = await person(product, ['ADMIN'])
  second = await person(product, ['ADMIN'])
  desk = openDesk(product, first, second)
  await desk.borrower({ name: 'Roe' })
})
afterAll(async () => {
  await expectWhole(product, /./)
})

const HEADING =
  'borrower,purpose,amount,from_investors,rate_basis_points,schedule,period,day_count,instalments,due_day,disburse_on,first_due_on,collateral,collateral_value,collateral_valued_on'
const lineOf = (ofInvestors: string, collateral: string, amount = '1200', name = 'Roe') =>
  `${name},business,${amount},${ofInvestors},1200,annuity,monthly,30e360,12,15,2026-01-15,2026-02-15,${collateral}`
const send = (lines: readonly string[], dryRun = false, by = first) =>
  product.call(importLoanFile, {
    token: by.token,
    params: { kind: 'loans' },
    payload: { csv: [HEADING, ...lines].join('\r\n'), dryRun },
  })
type Loan = { id: string; principal: number; investors: number; collateral: string | null }
const read = () =>
  desk.rows<Loan>(
    `SELECT l.id, l.principal::int, l.from_investors::int AS investors, concat_ws(' ', c.description, c.value, c.valued_on) AS collateral
     FROM loans AS l LEFT JOIN loan_collateral AS c ON c.loan_id = l.id ORDER BY l.from_investors`,
  )

describe('an imported loan', () => {
  test('has any funding, with collateral or without', async () => {
    const house = `"A house, with a garden",9000.50,2026-01-02`
    const lines = [lineOf('', ',,'), lineOf('0.00', house), lineOf('400', house)]
    lines.push(lineOf('1200', ',,'))
    expect((await send(lines, true)).body).toMatchObject({ recorded: 0, problems: [] })
    expect(await read()).toEqual([])
    expect((await send(lines)).body).toMatchObject({ recorded: 4, problems: [] })
    const rows = await read()
    expect(rows.map(({ investors }) => investors)).toEqual([0, 0, 400_00, 1_200_00])
    const secured = 'A house, with a garden 900050 2026-01-02'
    expect(rows.map(({ collateral }) => collateral).sort()).toEqual(['', '', secured, secured])
    const mixed = await desk.storyOf(rows[2]?.id ?? '')
    expect(mixed.loan).toMatchObject({ amount: 1_200, fromInvestors: 400, status: 'APPLIED' })
    expect(mixed.collateral).toMatchObject([{ value: 9_000.5, recordedBy: first.email }])
  })

  test('that is wrong is told by code, facts and column', async () => {
    await desk.borrower({ name: 'Twin' })
    await desk.borrower({ name: 'Twin' })
    await desk.borrower({ name: 'Own', relation: 'staff', userEmail: second.email })
    const before = await read()
    const day = '2026-01-02'
    const { body } = await send(
      [
        lineOf('1200.01', ',,'),
        lineOf('-1', ',,'),
        lineOf('', 'A house,,'),
        lineOf('', `A house,0,${day}`),
        lineOf('', `A house,1,${dayFrom(2)}`),
        lineOf('', ',,', '1200', 'Twin'),
        lineOf('', ',,', '1200', 'None'),
        lineOf('', ',,', '0.05'),
        lineOf('', ',,', 'many'),
        lineOf('', `A house,1,${day}`, '1200', 'Own'),
        'Roe,business',
      ],
      false,
      second,
    )
    expect(body.recorded).toBe(0)
    expect(body.problems.map(({ line, column, code }) => [line, column, code])).toEqual([
      [2, 'from_investors', 'fundingTooMuch'],
      [3, 'from_investors', 'validation'],
      [4, 'collateral', 'collateralPartly'],
      [5, 'collateral_value', 'validation'],
      [6, 'collateral_valued_on', 'validation'],
      [7, 'borrower', 'severalNames'],
      [8, 'borrower', 'borrowerNotFound'],
      [9, null, 'badTerms'],
      [10, 'amount', 'validation'],
      [11, 'collateral', 'ownLoan'],
      [12, null, 'cellsDiffer'],
    ])
    expect(body.problems.map(({ details }) => details)).toMatchObject([
      {},
      { rule: 'amountPositive' },
      {},
      { rule: 'amountPositive' },
      { rule: 'dayFuture' },
      {},
      {},
      { problem: 'tooMany' },
      { rule: 'amountNumber' },
      {},
      { cells: 2, columns: 15 },
    ])
    expect(body.problems.every(({ problem }) => problem.length > 10)).toBe(true)
    expect(await read()).toEqual(before)
  })

  test('is not written if one of 10,000 is bad', async () => {
    const before = (await read()).length
    const day = '2026-01-02'
    const lines = Array.from({ length: 10_000 }, (_, index) =>
      lineOf('1', `House ${index},5,${day}`),
    )
    const { body } = await send(lines.with(9_999, lineOf('1', 'House,five,')))
    expect(body).toMatchObject({ lines: 10_000, recorded: 0 })
    expect(body.problems.map(({ line }) => line)).toEqual([10_001])
    expect((await read()).length).toBe(before)
  })
})

test('a pool that lends no principal imports capital alone', async () => {
  const { config } = product.context
  const lends = config.lendPrincipal
  Object.assign(config, { lendPrincipal: false })
  const { body } = await send([lineOf('', ',,', '1300'), lineOf('1', ',,')])
  Object.assign(config, { lendPrincipal: lends })
  expect(body).toMatchObject({ recorded: 0, problems: [{ line: 3, code: 'principalNotLent' }] })
})

const TAKEN = `${HEADING},taken_over_on`
const sendTaken = (...days: readonly string[]) =>
  product.call(importLoanFile, {
    token: first.token,
    params: { kind: 'loans' },
    payload: {
      csv: [TAKEN, ...days.map((day, at) => `${lineOf('', ',,', `${700 + at}`)},${day}`)].join(
        '\n',
      ),
      dryRun: false,
    },
  })

describe('a loan that ran already', () => {
  test('was taken over between its disbursement and today', async () => {
    const { body } = await sendTaken('2026-01-14', dayFrom(1), 'soon')
    expect(body.problems).toMatchObject([
      { line: 2, column: 'taken_over_on', details: { problem: 'takenOverApart' } },
      { line: 3, column: 'taken_over_on', details: { problem: 'takenOverApart' } },
      { line: 4, column: 'taken_over_on', code: 'validation' },
    ])
  })

  test('keeps its past and is counted apart', async () => {
    expect((await sendTaken('2026-01-20')).body).toMatchObject({ recorded: 1, problems: [] })
    const [loan] = await desk.rows<{ id: string }>('SELECT id FROM loans WHERE principal = 70000')
    const id = loan?.id ?? ''
    const { body: approval } = await desk.askApproval(id)
    await desk.agree(approval.proposalId)
    const { body } = await desk.disburse(id, first, { disbursedOn: '2026-01-15' })
    expect((await desk.agree(body.proposalId)).status).toBe(200)
    const own = { disburseOn: dayFrom(0), firstDueOn: dayFrom(7), takenOverOn: undefined }
    const other = await desk.active(own, {}, { disbursedOn: dayFrom(0) })
    await postDefaults(product.context)
    const story = await desk.storyOf(id)
    // The first instalment was due on 15 February, and the 91st day past due was 17 May.
    expect(story.loan).toMatchObject({ takenOverOn: '2026-01-20', defaultedOn: '2026-05-17' })
    expect((await desk.storyOf(other)).loan.takenOverOn).toBeNull()
    const years = await readYears(product.context.db)
    expect(years.map(({ takenOver, loans, defaults }) => [takenOver, loans, defaults])).toEqual([
      [false, 1, 0],
      [true, 1, 1],
    ])
    const quarters = await readVintages(product.context.db)
    expect(quarters.map(({ takenOver, quarter }) => [takenOver, quarter])).toContainEqual([true, 1])
    await desk.giveBack([id, other])
    await tamper(
      product.database,
      `UPDATE loans SET taken_over_on = taken_over_on + 1 WHERE id = '${id}'`,
    )
    const { findings } = await checkRowsAgainstTrail(product.context.db)
    expect(findings).toEqual([expect.stringContaining('without an entry of its terms')])
    await tamper(
      product.database,
      `UPDATE loans SET taken_over_on = taken_over_on - 1 WHERE id = '${id}'`,
    )
  })
})
