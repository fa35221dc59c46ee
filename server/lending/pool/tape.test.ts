import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { cents } from '@pool/contract/base/money'
import { readCsv } from '@pool/contract/base/readCsv'
import { closeLoan } from '@pool/contract/lending/loans'
import { listTapes, poolBook, readTape } from '@pool/contract/lending/poolBook'
import { beforeAll, expect, test } from 'vitest'
import { newReference, openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { type Person, person, testProduct } from '../../testing/product.ts'
import { countArrears, postDefaults } from '../loans/arrears.ts'
import { countFigures } from './figures.ts'
import { readTapeFile, readTapes, writeTape } from './tape.ts'

const product = testProduct({ LOAN_CONCENTRATION: '100' }, { reserve: cents(200_000_00n) })
let supers: readonly [Person, Person]
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  supers = [await person(product, ['SUPER_ADMIN']), await person(product, ['SUPER_ADMIN'])]
  desk = openDesk(product, await person(product, ['ADMIN']), await person(product, ['ADMIN']))
})

/** Makes the file of today anew, as the text in it. */
const tape = async (): Promise<string> => {
  const { superuser } = product.database
  await superuser.query("SET session_replication_role = 'replica'")
  await superuser.query('DELETE FROM pool_tapes')
  await superuser.query('RESET session_replication_role')
  expect(await writeTape(product.context)).toBe(true)
  const file = await readTapeFile(product.context.db, dayFrom(0))
  return gunzipSync(file ?? Buffer.alloc(0)).toString()
}

const linesOf = (csv: string) => {
  const [heading, ...records] = readCsv(csv)
  return records.map(
    ({ cells }) =>
      new Map(cells.map((cell, place) => [heading?.cells[place] ?? '', cell] as const)),
  )
}
/** The line of the loan that paid out this amount. */
const lineOf = (csv: string, disbursed: string) => {
  const line = linesOf(csv).find((each) => each.get('disbursed') === disbursed)
  if (!line) throw new Error(`no loan of ${disbursed} is on the tape`)
  return Object.fromEntries(line)
}

test('an empty book has a file of its heading', async () => {
  const csv = await tape()
  expect(linesOf(csv)).toEqual([])
  expect(csv).toMatch(/^as_of,schema,loan_id,borrower_key,related_party,/)
})

test('a line tells a loan’s terms and what it owes', async () => {
  const id = await desk.active({
    amount: 1_201,
    instalments: 12,
    disburseOn: dayFrom(-30),
    firstDueOn: dayFrom(-23),
  })
  const { lines } = await desk.storyOf(id)
  const due = (place: number) => (lines[place]?.principal ?? 0) + (lines[place]?.interest ?? 0)
  await desk.repay(id, { amount: Math.round(due(0) * 100) / 100, valueOn: dayFrom(-20) })
  const line = lineOf(await tape(), '1201.00')
  expect(line).toMatchObject({
    as_of: dayFrom(0),
    schema: '4',
    related_party: 'none',
    risk_band: 'B',
    approved_on: dayFrom(0),
    taken_over_on: dayFrom(0),
    disbursed_on: dayFrom(-30),
    first_due_on: dayFrom(-23),
    maturity_original: dayFrom(54),
    maturity_current: dayFrom(54),
    rate_pct: '12.00',
    schedule: 'equalPrincipal',
    period: 'weekly',
    day_count: 'act365',
    instalments: '12',
    from_investors: '0.00',
    instalments_paid: '1',
    paid_on_network: 'Bitcoin',
    dpd: '16',
    bucket: 'late1',
    last_paid_on: dayFrom(-20),
    next_due_on: dayFrom(-16),
    state: 'ACTIVE',
    closed_how: '',
  })
  const { loan } = await desk.storyOf(id)
  expect(Number(line.outstanding)).toBe(loan.outstanding)
  expect(Number(line.due_principal) + Number(line.due_interest)).toBeCloseTo(loan.overdue, 6)
  expect(Number(line.next_due)).toBe(loan.nextDue)
  expect(Number(line.principal_repaid)).toBeCloseTo(1_201 - loan.outstanding, 6)
  expect(Number(line.interest_received)).toBe(lines[0]?.interest)
})

test('a default, a loss and a recovery stay on it', async () => {
  const id = await desk.active(
    { amount: 1_202, disburseOn: dayFrom(-98), firstDueOn: dayFrom(-91) },
    { relation: 'operator' },
    { disbursedOn: dayFrom(-98) },
  )
  await countArrears(product.context.db, product.context.config.loanTolerance)
  await postDefaults(product.context)
  expect(lineOf(await tape(), '1202.00')).toMatchObject({
    state: 'DEFAULTED',
    default_on: dayFrom(0),
    default_reason: 'daysPastDue',
    dpd: '91',
    dpd_max: '91',
    bucket: 'late91',
    related_party: 'operator',
  })
  const { body } = await desk.askWriteOff(id, supers[0], 1_202)
  await desk.agreeAsSuper(body.proposalId, supers[1])
  await desk.recover(id, { amount: 12.5, reference: newReference() })
  expect(lineOf(await tape(), '1202.00')).toMatchObject({
    state: 'WRITTEN_OFF',
    outstanding: '0.00',
    written_off: '1202.00',
    recovered: '12.50',
    dpd: '0',
    dpd_max: '91',
    bucket: '',
    written_off_on: dayFrom(0),
    closed_on: dayFrom(0),
    closed_how: 'written_off',
  })
})

test('a repaid loan keeps its names and closes', async () => {
  const old = await desk.active({ amount: 1_203 })
  const before = lineOf(await tape(), '1203.00')
  expect(before).toMatchObject({ restructurings: '0', restructured_on: '', refinances_loan_id: '' })
  // An application that would have refinanced it, and was declined.
  const { borrowerId } = (await desk.storyOf(old)).loan
  const { body: declined } = await desk.record({ borrowerId, refinancesId: old })
  const [{ token }] = supers
  const payload = { outcome: 'DECLINED', reason: 'Paid instead' } as const
  const params = { id: declined.id }
  expect((await product.call(closeLoan, { token, params, payload })).status).toBe(200)
  await desk.giveBack([old])
  const after = lineOf(await tape(), '1203.00')
  expect(after).toMatchObject({ state: 'REPAID', outstanding: '0.00', closed_on: dayFrom(0) })
  expect(after.closed_how).toBe('scheduled')
  expect([after.loan_id, after.borrower_key]).toEqual([before.loan_id, before.borrower_key])
})

test('few borrowers of a country and purpose are left out', async () => {
  for (let count = 1; count <= 5; count += 1) {
    const id = await desk.active({ amount: 1_300 + count, purpose: 'home' }, { country: 'fr' })
    const line = lineOf(await tape(), `${1_300 + count}.00`)
    expect([line.country, line.purpose]).toEqual(count < 5 ? ['', ''] : ['FR', 'home'])
    expect(id).not.toBe(line.loan_id)
  }
})

test('no person is named in file or figures', async () => {
  const who = await person(product)
  await desk.active({ amount: 1_400 }, { name: 'Zacharias Quillfeather', gradeReason: 'Rich aunt' })
  const csv = await tape()
  await countFigures(product.context)
  const said = [
    csv,
    JSON.stringify((await product.call(poolBook)).body),
    JSON.stringify((await product.call(listTapes)).body),
  ].join('\n')
  const rows = await desk.rows<{ word: string }>(
    `SELECT unnest(ARRAY[b.id::text, b.name, b.grade_reason, l.id::text, d.evidence, u.username, u.id::text]) AS word
     FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id JOIN loan_disbursements AS d ON d.loan_id = l.id
     JOIN users AS u ON u.id = l.recorded_by UNION SELECT reference FROM loan_repayments UNION SELECT $1`,
    who.email,
  )
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter(({ word }) => said.includes(word))).toEqual([])
  expect(said).not.toMatch(/Quillfeather|Mason|@|aunt/)
})

test('each day has one file with its digest', async () => {
  const csv = await tape()
  const rivals = await Promise.all([writeTape(product.context), writeTape(product.context)])
  expect(rivals).toEqual([false, false])
  const [newest] = await readTapes(product.context.db)
  const digest = createHash('sha256').update(csv).digest('hex')
  expect(newest).toMatchObject({ digest, size: Buffer.byteLength(csv) })
  const day = dayFrom(0)
  const { rawPayload, headers } = await product.app.inject({
    url: readTape.path.replace('{day}', day),
  })
  expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(digest)
  expect(headers['content-disposition']).toBe(`attachment; filename="loans-${day}.csv"`)
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  const none = await product.app.inject({ url: readTape.path.replace('{day}', '2020-01-01') })
  expect([none.statusCode, none.json().body.code]).toEqual([404, 'tapeNotFound'])
  const wrong = await product.app.inject({ url: readTape.path.replace('{day}', "x'y") })
  expect(wrong.statusCode).toBe(400)
  await expect(
    product.database.superuser.query("UPDATE pool_tapes SET digest = repeat('0', 64)"),
  ).rejects.toThrow()
})
