import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CsvColumn, csvHeading, csvLines } from './csv.ts'

const one: readonly CsvColumn<string>[] = [{ heading: 'Text', value: (text) => text }]

/** Reads CSV by RFC 4180. */
const read = (csv: string): string[][] => {
  const records: string[][] = []
  let [record, cell, inQuotes] = [[] as string[], '', false]
  for (let i = 0; i < csv.length; i += 1) {
    const character = csv[i] as string
    if (inQuotes && character === '"' && csv[i + 1] === '"') [cell, i] = [`${cell}"`, i + 1]
    else if (character === '"') inQuotes = !inQuotes
    else if (!inQuotes && character === ',') [record, cell] = [[...record, cell], '']
    else if (!inQuotes && character === '\r' && csv[i + 1] === '\n') {
      records.push([...record, cell])
      ;[record, cell, i] = [[], '', i + 1]
    } else cell += character
  }
  return records
}

const FORMULA = /^\s*[=+\-@＝＋－＠]/
const separators = fc.constantFrom(
  ';',
  '\t',
  '\r',
  '\n',
  ',',
  '"',
  "'",
  ' ',
  '=',
  '+',
  '-',
  '@',
  '＝',
  'a',
)
const typed = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: separators }))
const withoutApostrophes = (text: string) => text.replaceAll("'", '')

test('typed text is read back unchanged except for apostrophes', () => {
  fc.assert(
    fc.property(fc.array(typed, { minLength: 1 }), (texts) => {
      const back = read(csvLines(texts, one)).map(([cell]) => cell ?? '')
      expect(back.map(withoutApostrophes)).toEqual(texts.map(withoutApostrophes))
      const plain = texts.flatMap((text, i) => (/[=+\-@＝＋－＠\t\r\0]/.test(text) ? [] : [i]))
      expect(plain.map((i) => back[i])).toEqual(plain.map((i) => texts[i]))
    }),
  )
})

test.each([',', ';', '\t', '\r', '\n', '"'])(
  'a cell with the separator %j is quoted',
  (separator) => {
    const text = `a${separator}b`
    expect(csvLines([text], one)).toBe(`"${text.replaceAll('"', '""')}"\r\n`)
  },
)

test('no formula appears with semicolons or tabs as separators', () => {
  const two: readonly CsvColumn<string>[] = [{ heading: 'Amount', value: () => 1 }, ...one]
  fc.assert(
    fc.property(typed, (text) => {
      for (const separator of [';', '\t']) {
        const cells = csvLines([text], two)
          .split(/[\r\n]/)
          .flatMap((line) => line.split(separator))
        expect(cells.filter((cell) => FORMULA.test(cell))).toEqual([])
      }
    }),
  )
})

const openings = [
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\0',
  ' =',
  '  @',
  '\t=',
  '\n=',
  '=1+1;',
  '+SUM(',
  "-2+3+cmd|' /C calc'!A0",
  '@HYPERLINK(',
  '\u{00a0}=',
  '＝',
  '＠',
]
const payloads = openings.flatMap((opening) =>
  [
    'cmd|calc',
    'HYPERLINK("http://example.com")',
    '1,2',
    '"quoted"',
    'a\nb',
    '',
    'IMPORTXML(A1)',
    '2+5',
    "'",
    'ü€',
  ].flatMap((rest) => [
    opening + rest,
    opening + rest + opening,
    `${opening}${rest},${opening}${rest}`,
    opening + opening + rest,
  ]),
)

test(`none of ${payloads.length} hostile texts begins a formula`, () => {
  expect(payloads.length).toBeGreaterThanOrEqual(500)
  const raw = payloads.filter((payload) =>
    /^\s*[=+\-@＝＋－＠]|^[\t\r\0]/.test(read(csvLines([payload], one))[0]?.[0] ?? ''),
  )
  expect(raw).toEqual([])
})

test('numbers, moments and missing values have their form', () => {
  const columns: readonly CsvColumn<{ amount: number | null; at: Date | null }>[] = [
    { heading: 'Amount', value: ({ amount }) => amount },
    { heading: 'Created, UTC', value: ({ at }) => at },
  ]
  expect(csvHeading(columns)).toBe('Amount,"Created, UTC"\r\n')
  const rows = [
    { amount: 1234.5, at: new Date('2026-01-31T10:00:00Z') },
    { amount: -3, at: null },
    { amount: null, at: null },
  ]
  expect(csvLines(rows, columns)).toBe('1234.5,2026-01-31T10:00:00.000Z\r\n-3,\r\n,\r\n')
})

test('amounts have two decimals and the sign of their direction', () => {
  const amounts: readonly CsvColumn<number | null>[] = [
    { heading: 'Amount', value: (dollars) => (dollars === null ? null : { dollars }) },
  ]
  expect(csvLines([120.5, -40, 0.1, null], amounts)).toBe('120.50\r\n-40.00\r\n0.10\r\n\r\n')
})
