import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { cents } from '@pool/contract/base/money'
import { askRestructuring } from '@pool/contract/lending/lateLoans'
import { poolBook } from '@pool/contract/lending/poolBook'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { makeLiabilities } from '../../reports/liabilities/make.ts'
import { readFile } from '../../reports/liabilities/proof.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { investorWith, person, testProduct } from '../../testing/product.ts'
import { countArrears, postDefaults } from '../loans/arrears.ts'
import { countFigures } from './figures.ts'
import { readTapeFile, writeTape } from './tape.ts'

const PROGRAM = join(import.meta.dirname, '../../../docs/verify/loans.mjs')
const product = testProduct(
  { LOAN_CONCENTRATION: '100', LEND_PRINCIPAL: 'true' },
  { reserve: cents(200_000_00n) },
)
const directory = mkdtempSync(join(tmpdir(), 'loans-'))
afterAll(() => rmSync(directory, { recursive: true }))

let files: Readonly<Record<'tape' | 'book' | 'liabilities', string>>

/** Loans in every state and of several quarters, some of them of investors' principal. */
beforeAll(async () => {
  const supers = [await person(product, ['SUPER_ADMIN']), await person(product, ['SUPER_ADMIN'])]
  const clerk = await person(product, ['ADMIN'])
  const desk = openDesk(product, clerk, await person(product, ['ADMIN']))
  const investor = await investorWith(product, 5_000)
  await openInvestment(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(4_000_00n),
    durationDays: 12,
  })
  const lateBy = (days: number, more: object = {}, ofBorrower: object = {}) =>
    desk.active(
      { disburseOn: dayFrom(-days - 7), firstDueOn: dayFrom(-days), ...more },
      ofBorrower,
      { disbursedOn: dayFrom(-days - 7) },
    )
  await desk.active({ firstDueOn: dayFrom(3), amount: 700, rateBasisPoints: 1_333 })
  await lateBy(-1, { amount: 900, fromInvestors: 333, schedule: 'interestOnly' })
  const partly = await lateBy(10, { amount: 1_100 }, { relation: 'operator' })
  await desk.repay(partly, { amount: 33.33 })
  const reopened = await lateBy(15, { schedule: 'annuity' })
  const { body } = await desk.repay(reopened, { amount: 60 })
  await desk.repay(reopened, { amount: 150.5 })
  await desk.reverse(body.repaymentId)
  await lateBy(45)
  await lateBy(65, { amount: 555 })
  await desk.giveBack([await lateBy(40, { amount: 300, instalments: 3 })])
  const renewed = await lateBy(20, { amount: 1_234 })
  const asked = await product.call(askRestructuring, {
    token: clerk.token,
    params: { id: renewed },
    payload: {
      rateBasisPoints: 600,
      schedule: 'equalPrincipal',
      period: 'monthly',
      dayCount: '30e360',
      instalments: 24,
      dueDay: Number(dayFrom(20).slice(8)),
      firstDueOn: dayFrom(20),
      reason: 'Out of work',
      isDistressed: true,
    },
  })
  expect((await desk.agree(asked.body.proposalId)).status).toBe(200)
  const old = []
  for (const place of [0, 1, 2, 3, 4]) old.push(await lateBy(400, { amount: 400 + place }))
  await desk.giveBack(old.slice(0, 3))
  const late = await lateBy(30, { amount: 800 })
  const proposed = await desk.askDefault(late)
  expect((await desk.agree(proposed.body.proposalId)).status).toBe(200)
  await desk.repay(late, { amount: 20 })
  await countArrears(product.context.db, product.context.config.loanTolerance)
  await postDefaults(product.context)
  const lost = old[4] ?? ''
  const { loan } = await desk.storyOf(lost)
  const [asker = clerk, other = clerk] = supers
  const writeOff = await desk.askWriteOff(lost, asker, loan.outstanding)
  expect((await desk.agreeAsSuper(writeOff.body.proposalId, other)).status).toBe(200)
  await desk.recover(lost, { amount: 12.34 })
  await countArrears(product.context.db, product.context.config.loanTolerance)

  const { context } = product
  expect(await writeTape(context)).toBe(true)
  const day = (await makeLiabilities(context)) ?? ''
  await countFigures(context)
  const { payload } = await product.app.inject({ url: poolBook.path })
  files = {
    tape: gunzipSync((await readTapeFile(context.db, day)) ?? Buffer.alloc(0)).toString(),
    book: payload,
    liabilities: (await readFile(context.db, day)) ?? '',
  }
})

const verify = (change: Partial<typeof files> = {}) => {
  const paths = Object.entries({ ...files, ...change }).map(([name, text]) => {
    const path = join(directory, name)
    writeFileSync(path, text)
    return path
  })
  const { stdout, status, stderr } = spawnSync(process.execPath, [PROGRAM, ...paths], {
    encoding: 'utf8',
  })
  return { status, stderr, lines: stdout.trimEnd().split('\n') }
}

test('the tape alone leads to each figure', () => {
  const { status, stderr, lines } = verify()
  expect(stderr).toBe('')
  expect(lines.filter((line) => !line.startsWith('equal '))).toEqual(['All figures are equal.'])
  expect(status).toBe(0)
  const zeros = lines.filter((line) => /(?:current|late\d+|recovery): loans {2}0$/.test(line))
  expect(zeros.map((line) => line.split(/ +/)[1])).toEqual(['late91:'])
  const said = lines.join('\n')
  expect(said).toMatch(/investors' principal in loans {2}33300$/m)
  expect(said).toMatch(/Q\d, taken over: default in 6 months {2}[1-9]/)
  expect(said).toMatch(/due in 30 days, as collected {2}[1-9]/)
  expect(said).toMatch(/recoveries this month {2}1234$/m)
  expect(said).toMatch(/\d: interest of borrowers {2}[1-9]/)
})

test.each([
  ['a figure', 'outstanding', 'book', /"outstanding":(\d)/, '"outstanding":9$1'],
  ['a loan less', 'loans', 'tape', /\r\n[^\r]+\r\n$/, '\r\n'],
  ['the liabilities', 'loans in the liabilities', 'liabilities', /"loans": "/, '"loans": "1'],
] as const)('%s that differs is named', (_, name, file, from, to) => {
  const { status, lines } = verify({ [file]: files[file].replace(from, to) })
  expect(status).toBe(1)
  expect(lines.some((line) => line.startsWith(`DIFFERENT  ${name}  `))).toBe(true)
  expect(lines.at(-1)).toMatch(/figures? differ/)
})
