import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCsv } from '@pool/contract/base/readCsv'
import { signedText } from '@pool/contract/reports/poolKeys'
import {
  signatureFileSchema,
  statementForms,
  statementSchema,
} from '@pool/contract/reports/statements'
import { expect, test } from 'vitest'
import { headOf, LINES, OPENING } from '../../testing/exampleStatement.ts'
import { openCount, partsOf } from './count.ts'
import { textWriters } from './forms.ts'
import { periodOf, periodsSince } from './period.ts'

const forms = statementForms.filter((form) => form !== 'pdf')

const made = (form: (typeof forms)[number], lines = LINES): string => {
  const { begin, lines: write, end } = textWriters[form]()
  const count = openCount(partsOf(OPENING))
  const parts = lines.map((line) => write([count.add(line)]))
  return [begin(headOf(`statement.${form}`)), ...parts, end(count.end())].join('')
}

const kept = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'golden', name), 'utf8')

/** The public key of the kept signature, whose private key is gone. */
const PUBLIC_KEY = 'FKRpX4JXg5vA5a2Guf9AqQZyIr6nlniyajTR5A0DUBo'

test.each(forms)('the form %s of version 1 stays as it was', (form) => {
  expect(made(form)).toBe(kept(`statement-v1.${form}.golden`))
})

test('a signature of version 1 stays genuine', () => {
  const signature = signatureFileSchema.parse(JSON.parse(kept('signature.json')))
  const digest = createHash('sha256').update(made('json')).digest('hex')
  expect(digest).toBe(signature.digest)
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: PUBLIC_KEY }, format: 'jwk' })
  const bytes = Buffer.from(signature.signature, 'base64url')
  expect(verify(null, Buffer.from(signedText(signature)), key, bytes)).toBe(true)
})

test('a statement with and without lines is valid JSON', () => {
  for (const lines of [LINES, []]) {
    const statement = statementSchema.parse(JSON.parse(made('json', [...lines])))
    expect(statement.lines).toHaveLength(lines.length)
    const last = statement.lines.at(-1)
    expect(statement.closing).toEqual(last?.balances ?? statement.opening)
  }
})

test('a line of CSV has the balances of its JSON', () => {
  const { lines } = statementSchema.parse(JSON.parse(made('json')))
  const [heading, ...rows] = readCsv(made('csv')).map(({ cells }) => cells)
  expect(rows).toHaveLength(lines.length)
  for (const [n, row] of rows.entries()) {
    const cell = (name: string) => row[heading?.indexOf(name) ?? -1]
    expect([cell('at'), cell('total'), cell('on_the_way_change')]).toEqual([
      lines[n]?.at,
      lines[n]?.balances.total,
      lines[n]?.changes.onTheWay,
    ])
  }
})

test('no sum counts interest that is not earned yet', () => {
  const { lines } = statementSchema.parse(JSON.parse(made('json')))
  const at = (movement: string) => lines.find((line) => line.movement === movement)
  expect(at('investment_opened')).toMatchObject({
    interest: '0.00',
    changes: { promised: '35.00', total: '0.00' },
    balances: { promised: '35.00', total: '1000.07' },
  })
  expect(at('investment_matured')).toMatchObject({
    interest: '35.00',
    changes: { promised: '-35.00', total: '35.00' },
    balances: { promised: '0.00' },
  })
})

test('other programs book what came, went and was earned', () => {
  const { lines, opening, closing } = statementSchema.parse(JSON.parse(made('json')))
  const read = (form: 'portfolio-performance-en' | 'ghostfolio') => {
    const [heading = [], ...rows] = readCsv(made(form)).map(({ cells }) => cells)
    return rows.map((row) => Object.fromEntries(heading.map((name, n) => [name, row[n] ?? ''])))
  }
  const cents = (text: string) => Math.round(Number(text) * 100)
  const booked = read('portfolio-performance-en')
  const sum = booked.reduce((all, { Type = '', Value = '' }) => {
    expect(['Deposit', 'Withdrawal', 'Interest', 'Fees', 'Fees Refund']).toContain(Type)
    return all + (Type === 'Withdrawal' || Type === 'Fees' ? -1 : 1) * cents(Value)
  }, 0)
  expect(sum).toBe(cents(closing.total) - cents(opening.total))
  // The rules of Ghostfolio's import: numbers in three columns, and a known action.
  const activities = read('ghostfolio')
  for (const { Date: day, Code, Action, ...numbers } of activities) {
    expect([day, Code, Action]).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      'Peer Lending Pool',
      expect.stringMatching(/^(interest|fee)$/),
    ])
    for (const column of ['Price', 'Quantity', 'Fee'])
      expect(Number.isFinite(Number(numbers[column] || Number.NaN))).toBe(true)
  }
  expect(activities.map(({ Note = '' }) => Note.split(' 0')[0])).toEqual([
    'loss shared',
    'investment matured',
  ])
  expect(lines.length).toBeGreaterThan(activities.length)
})

test('a German program reads the amounts of the English form', () => {
  const english = readCsv(made('portfolio-performance-en')).map(({ cells }) => cells)
  const [heading, ...lines] = made('portfolio-performance-de').trimEnd().split('\r\n')
  expect(heading).toBe('Datum;Uhrzeit;Typ;Wert;Buchungswährung;Notiz')
  const words = {
    Deposit: 'Einlage',
    Withdrawal: 'Entnahme',
    Interest: 'Zinsen',
    Fees: 'Gebühren',
    'Fees Refund': 'Gebührenerstattung',
  }
  expect(lines.map((line) => line.split(';'))).toEqual(
    english
      .slice(1)
      .map(([date, time, type, value = '', ...rest]) => [
        date,
        time,
        words[type as keyof typeof words],
        value.replace('.', ','),
        ...rest,
      ]),
  )
})

test('periods are months and years in UTC', () => {
  const now = new Date('2026-03-01T00:00:30Z')
  // A transaction that began before the end may still wait for a lock.
  const isDone = (at: string) => periodOf('2026-02', new Date(at)).isComplete
  expect([isDone('2026-03-01T00:04:59Z'), isDone('2026-03-01T00:05:00Z')]).toEqual([false, true])
  expect(periodOf('2026-02', now)).toMatchObject({
    from: new Date('2026-02-01'),
    to: new Date('2026-03-01'),
    isComplete: false,
  })
  expect(periodOf('2025', now)).toMatchObject({ to: new Date('2026-01-01'), isComplete: true })
  expect(periodOf('2025-12', now)).toMatchObject({ to: new Date('2026-01-01'), isComplete: true })
  expect(periodOf('2026', now)).toMatchObject({ to: now, isComplete: false })
  expect(() => periodOf('2026-04', now)).toThrow()
  expect(periodsSince(new Date('2025-11-30T23:59:59Z'), now)).toEqual([
    '2026',
    '2026-03',
    '2026-02',
    '2026-01',
    '2025',
    '2025-12',
    '2025-11',
  ])
})
