import { cents, dollarsFromCents, formatDollars, MAXIMUM_AMOUNT } from '@pool/contract/base/money'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dollarsText, readDollars } from './dollars.ts'

const UNCLEAR = Number.NaN

/** A text, and its dollars to readers with a decimal point and to those with a comma. */
const readings: readonly (readonly [string, number | undefined, number | undefined])[] = [
  ['', undefined, undefined],
  [' \u00a0', undefined, undefined],
  ['0', 0, 0],
  ['007', 7, 7],
  ['2500', 2500, 2500],
  ['2500.', 2500, 2500],
  ['2500.5', 2500.5, 2500.5],
  ['.5', 0.5, 0.5],
  ['-5', -5, -5],
  ['\u22122,500.00', -2500, -2500],
  // A comma before three digits groups, unless it is the reader's decimal comma.
  ['2,500', 2500, UNCLEAR],
  ['2.500', UNCLEAR, 2500],
  ['1,234,567', 1_234_567, 1_234_567],
  ['1.234.567', 1_234_567, 1_234_567],
  ['1,234.56', 1234.56, 1234.56],
  ['1.234,56', 1234.56, 1234.56],
  ['1,234.', 1234, 1234],
  ['2,50', UNCLEAR, 2.5],
  ['2,5', UNCLEAR, 2.5],
  [',5', UNCLEAR, 0.5],
  ['1.234,567', UNCLEAR, UNCLEAR],
  ['1,234.567', UNCLEAR, UNCLEAR],
  ['1.5000', UNCLEAR, UNCLEAR],
  ['0,500', UNCLEAR, UNCLEAR],
  ['0.500', UNCLEAR, UNCLEAR],
  ['1,23,456', UNCLEAR, UNCLEAR],
  ['1.234.56', UNCLEAR, UNCLEAR],
  ['1,234,56', UNCLEAR, UNCLEAR],
  ['12,3456', UNCLEAR, UNCLEAR],
  ['2 500', 2500, 2500],
  ['2\u202f500,50', 2500.5, 2500.5],
  ['2\u00a0500.50', 2500.5, 2500.5],
  ['2 50', UNCLEAR, UNCLEAR],
  ['25 00', UNCLEAR, UNCLEAR],
  ['2  500', UNCLEAR, UNCLEAR],
  ['2\t500', UNCLEAR, UNCLEAR],
  ['2, 500', UNCLEAR, UNCLEAR],
  ["1'234", UNCLEAR, UNCLEAR],
  ['$2,500.00', 2500, 2500],
  ['US$ 2,500.00', 2500, 2500],
  ['$1,234.50 USD', 1234.5, 1234.5],
  ['1.234,50 US$', 1234.5, 1234.5],
  ['-$5', -5, -5],
  ['$-5', -5, -5],
  ['+5', 5, 5],
  ['--5', UNCLEAR, UNCLEAR],
  ['-$-5', UNCLEAR, UNCLEAR],
  ['(5)', UNCLEAR, UNCLEAR],
  ['5-', UNCLEAR, UNCLEAR],
  ['\u200e$2,500.00\u200f', 2500, 2500],
  ['\u202e0052', UNCLEAR, UNCLEAR],
  ['２５００', 2500, 2500],
  ['＄２，５００．５０', 2500.5, 2500.5],
  ['٢٥٠٠', UNCLEAR, UNCLEAR],
  ['10²', UNCLEAR, UNCLEAR],
  ['½', UNCLEAR, UNCLEAR],
  ['1e3', UNCLEAR, UNCLEAR],
  ['0x10', UNCLEAR, UNCLEAR],
  ['1_000', UNCLEAR, UNCLEAR],
  ['2k', UNCLEAR, UNCLEAR],
  ['5%', UNCLEAR, UNCLEAR],
  ['€5', UNCLEAR, UNCLEAR],
  ['5 MXN', UNCLEAR, UNCLEAR],
  ['$', UNCLEAR, UNCLEAR],
  ['.', UNCLEAR, UNCLEAR],
  ['-', UNCLEAR, UNCLEAR],
  ['Infinity', UNCLEAR, UNCLEAR],
]

test.each(readings)('%j: %j with a decimal point, %j with a comma', (text, point, comma) => {
  expect([readDollars(text, '.'), readDollars(text, ',')]).toEqual([point, comma])
})

const amounts = fc.integer({ min: 0, max: MAXIMUM_AMOUNT * 100 }).map((n) => n / 100)

describe('every amount is read back to the cent', () => {
  test.each([
    ['en-US', '.'],
    ['en-GB', '.'],
    ['en-ZA', ','],
    ['es', ','],
    ['es-AR', ','],
    ['es-MX', '.'],
    ['es-US', '.'],
  ] as const)('as %s and the screens write it', (locale, own) => {
    const number = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 })
    const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
    fc.assert(
      fc.property(amounts, (dollars) => {
        const written = [
          number.format(dollars),
          money.format(dollars),
          formatDollars(dollars),
          dollarsText(dollars),
          String(dollars),
          dollars.toFixed(2).replace('.', own),
        ]
        expect(written.map((text) => readDollars(text, own))).toEqual(written.map(() => dollars))
      }),
    )
  })
})

test('no text becomes another number', () => {
  const signs = fc.constantFrom(..."0123456789..,,  $-+eE\u00a0\u202f５，．'%")
  fc.assert(
    fc.property(
      fc.array(signs, { maxLength: 14 }),
      fc.constantFrom('.' as const, ',' as const),
      (typed, own) => {
        const text = typed.join('')
        const dollars = readDollars(text, own)
        if (dollars === undefined || Number.isNaN(dollars)) return
        // The digits are those of the text, and only a short last part is cents.
        const plain = text.normalize('NFKC')
        const [, last] = /[.,](\d{0,2})[\s$]*$/.exec(plain) ?? []
        const digits = BigInt(plain.replace(/\D/g, ''))
        const inCents = digits * 10n ** BigInt(2 - (last?.length ?? 0))
        const sign = plain.includes('-') ? -1n : 1n
        expect(BigInt(Math.round(dollars * 100))).toBe(sign * inCents)
      },
    ),
    { numRuns: 20_000 },
  )
})

test('a field shows cents that each notation reads', () => {
  expect([0.01, 12.5, 2500, MAXIMUM_AMOUNT].map(dollarsText)).toEqual([
    '0.01',
    '12.50',
    '2,500.00',
    '10,000,000.00',
  ])
  expect(readDollars(dollarsText(dollarsFromCents(cents(123_456n))), ',')).toBe(1234.56)
})
