import { languages } from '@pool/contract/base/languages'
import {
  type StatementEnd,
  type StatementLine,
  statementBalances,
  statementSums,
} from '@pool/contract/reports/statements'
import { expect, test } from 'vitest'
import { headOf, LINES, OPENING } from '../../../testing/exampleStatement.ts'
import { readPdf } from '../../../testing/pdfs.ts'
import { openCount, partsOf } from '../count.ts'
import { ROWS_WITH_CELLS } from './movements.ts'
import { statementPdf } from './statementPdf.ts'
import { paperWords } from './words.ts'

const KEY = { id: '1a2b3c4d', publicKey: 'orhBerglgOZPRNKsFUW5OkPRW3ah8FlxT0PRBywG8rs' }
type Made = { readonly bytes: Buffer; readonly lines: StatementLine[]; readonly end: StatementEnd }

const made = (language: 'en' | 'es', rows = LINES, isComplete = true, name?: string): Made => {
  const writer = statementPdf({ language, productName: 'Pool & Sons <Ltd>', key: KEY })()
  const count = openCount(partsOf(OPENING))
  const lines = rows.map(count.add)
  const end = count.end()
  const head = headOf('statement.pdf')
  const period = { ...head.period, isComplete }
  const investor = { ...head.investor, ...(name !== undefined && { name }) }
  const parts = [writer.begin({ ...head, period, investor }), writer.lines(lines), writer.end(end)]
  return { bytes: Buffer.concat(parts.map((part) => Buffer.from(part))), lines, end }
}

const repeated = (count: number) =>
  Array.from({ length: count }, (_, n) => LINES[n % LINES.length] ?? LINES[0]).filter(
    (line) => line !== undefined,
  )

/** An amount as it is printed. */
const printed = (dollars: string): string =>
  dollars.replace(/^(-?)(\d+)(?=\.)/, (_, sign, whole) => sign + Number(whole).toLocaleString('en'))

test.each(languages)('paper has the figures of the JSON in %s', async (language) => {
  const { bytes, lines, end } = made(language)
  const words = paperWords[language]
  const [front, ...others] = (await readPdf(bytes)).pages
  const onFront = front?.texts ?? []
  // A name could read like a balance.
  expect(onFront[onFront.indexOf(words.namedBy) + 1]).toBe('Ana "Ann" Núñez')
  for (const sum of statementSums) {
    const place = onFront.indexOf(words.sums[sum], onFront.indexOf(words.sumsHeading))
    expect([sum, onFront[place + 1]]).toEqual([sum, printed(end.totals.sums[sum])])
  }
  for (const { movement, count, amount, interest, promised } of end.totals.byMovement) {
    const place = onFront.indexOf(words.names[movement], onFront.indexOf(words.kinds))
    expect([movement, ...onFront.slice(place + 1, place + 5)]).toEqual([
      movement,
      String(count),
      printed(amount),
      printed(interest),
      printed(promised),
    ])
  }
  const closing = onFront.indexOf(words.closing('2026-02-01 00:00'))
  expect(onFront.slice(closing + 1, closing + 8)).toEqual(
    statementBalances.map((balance) => printed(end.closing[balance])),
  )
  const texts = others.flatMap((page) => page.texts)
  let place = 0
  for (const {
    at,
    movement,
    transactionId,
    amount,
    interest,
    balances,
    evidence,
    coins,
  } of lines) {
    place = texts.indexOf(at.slice(0, 16).replace('T', ' '), place)
    const rest = texts.slice(place)
    expect(rest[1]).toBe(words.names[movement])
    expect(rest[2]).toContain(transactionId)
    if (coins) expect(rest[2]).toContain(`${coins.amount} ${coins.asset}`)
    if (evidence) expect(rest[3]).toContain(`${evidence.network} ${evidence.transaction}`)
    const figures = rest.slice(evidence ? 4 : 3).slice(0, 9)
    expect(figures).toEqual(
      [amount, interest, ...statementBalances.map((balance) => balances[balance])].map(printed),
    )
  }
})

/** The texts before the id of the account, from the words above the name on. */
const headed = async (name: string, language: 'en' | 'es' = 'en') => {
  const [front] = (await readPdf(made(language, LINES, true, name).bytes)).pages
  const { namedBy, unwritten } = paperWords[language]
  const texts = front?.texts ?? []
  return texts.slice(
    texts.findIndex((text) => text === namedBy || text === unwritten),
    texts.indexOf(headOf('').investor.id),
  )
}
const namesOf = async (name: string) => (await headed(name)).slice(1)

test.each([
  'Nguyễn Thị Ánh',
  'Đặng Hữu Phước',
  'Şükrü Ğı İnci',
  'Ǵódź Łukąšž',
  'Ἀθηνᾶ Γεωργίου',
  'Йовчо Щербаѝ',
])('%s keeps its text', async (name) => {
  expect(await headed(name)).toEqual([paperWords.en.namedBy, name.normalize('NFC')])
  expect(await headed(name.normalize('NFD'))).toEqual([
    paperWords.en.namedBy,
    name.normalize('NFC'),
  ])
})

test.each(['王小明', 'محمد علي', 'आदित्य शर्मा', 'Ana 🎉', 'דוד', '김민준', 'สมชาย'])(
  'the sheet says that it cannot write %s',
  async (name) => {
    for (const language of languages)
      expect(await headed(name, language)).toEqual([paperWords[language].unwritten])
  },
)

test('a name that is cut ends with a sign', async () => {
  const cut = await namesOf('W'.repeat(100))
  expect(cut).toEqual([expect.stringMatching(/^W+$/), expect.stringMatching(/^W+…$/)])
  expect(await namesOf('Ana María Núñez de la Torre')).toEqual(['Ana María Núñez de la Torre'])
  // Two whole lines are no cut.
  expect((await namesOf(`${'W'.repeat(20)} ${'W'.repeat(20)}`)).join('')).not.toContain('…')
})

test.each(languages)('the page says how to check it in %s', async (language) => {
  const { bytes } = made(language)
  const { pages, info } = await readPdf(bytes)
  const text = pages[0]?.texts.join(' ') ?? ''
  for (const said of [KEY.id, KEY.publicKey, 'statement.pdf', 'Pool & Sons <Ltd>', '/verify'])
    expect(text).toContain(said)
  expect(info).toMatchObject({ Language: language })
  expect(info.Title).toContain(paperWords[language].title)
})

test('screen readers find headings and tables', async () => {
  const { bytes } = made('es', repeated(60))
  const { pages, isTagged } = await readPdf(bytes)
  expect(isTagged).toBe(true)
  expect(pages.length).toBeGreaterThan(2)
  expect(pages[0]?.roles.filter((role) => /^(H\d|Table)$/.test(role))).toEqual([
    'H1',
    'H2',
    'Table',
    'H2',
    'Table',
    'H2',
    'H2',
    'Table',
  ])
  for (const { roles, texts } of pages.slice(1)) {
    // Each page has the headings of the columns again.
    expect(roles.filter((role) => role === 'TH')).toHaveLength(11)
    expect(roles.filter((role) => role === 'TD').length % 11).toBe(0)
    expect(texts).toContain(paperWords.es.movement)
  }
  const rows = pages.flatMap(({ roles }) => roles).filter((role) => role === 'TD').length
  expect(rows).toBeGreaterThanOrEqual(60 * 11)
  const text = bytes.toString('latin1')
  expect(text).toContain('/StructTreeRoot')
  expect(text).toContain('/Lang (es)')
  expect(text).toContain('pdfuaid')
})

test.each(languages)('a period that is not over is named in %s', async (language) => {
  for (const isComplete of [true, false]) {
    const [front] = (await readPdf(made(language, LINES, isComplete).bytes)).pages
    expect(front?.texts.includes(paperWords[language].soFar)).toBe(!isComplete)
  }
})

test('both fonts are inside of the file', () => {
  const text = made('en').bytes.toString('latin1')
  expect(text.match(/\/FontFile2 \d+ 0 R/g)).toHaveLength(2)
  expect(text.match(/\/Subtype \/Type0/g)).toHaveLength(2)
  expect(text).not.toMatch(/\/BaseFont \/Helvetica/)
})

test('the same statement has the same bytes', () => {
  expect(made('en').bytes.equals(made('en').bytes)).toBe(true)
  expect(made('en').bytes.equals(made('es').bytes)).toBe(false)
})

test('later rows of a long list are paragraphs', async () => {
  const { pages } = await readPdf(made('en', repeated(ROWS_WITH_CELLS + 40)).bytes)
  const last = pages.at(-1)
  expect(last?.roles.filter((role) => role === 'TD')).toEqual([])
  expect(last?.roles.filter((role) => role === 'P').length).toBeGreaterThan(2)
  expect(last?.texts).toContain('Movement')
  const moments = pages.slice(1).flatMap(({ texts }) => texts.filter((text) => /^2026-/.test(text)))
  expect(moments).toHaveLength(ROWS_WITH_CELLS + 40)
})

test('a period without movements says so', async () => {
  const { pages } = await readPdf(made('es', []).bytes)
  expect(pages.flatMap(({ texts }) => texts)).toContain(paperWords.es.noMovements)
})
