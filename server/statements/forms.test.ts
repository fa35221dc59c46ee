import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCsv } from '@pool/contract/csv'
import { signedText } from '@pool/contract/poolKeys'
import {
  type StatementHead,
  type StatementPart,
  signatureFileSchema,
  statementForms,
  statementSchema,
} from '@pool/contract/statements'
import { expect, test } from 'vitest'
import type { InvestorMovement } from '../ledger/investorMovements.ts'
import { balancesText, openCount, partsOf } from './count.ts'
import { writers } from './forms.ts'
import { periodOf, periodsSince } from './period.ts'

const INVESTOR = '01900000-0000-7000-8000-000000000001'
const idOf = (n: number) => `01900000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`

const NOTHING = {
  ...{ available: null, held: null, onTheWay: null, invested: null, promised: null, debt: null },
  ...{ investmentId: null, interest: 0n, network: null, evidence: null, output: null },
  ...{ asset: null, coins: null, rate: null, rateAt: null, address: null },
} satisfies Partial<InvestorMovement>

const moved = (
  day: number,
  line: Partial<InvestorMovement> & Pick<InvestorMovement, 'movement' | 'amount'>,
): InvestorMovement => ({
  ...NOTHING,
  at: new Date(Date.UTC(2026, 0, day, 12)),
  transactionId: idOf(day),
  ...line,
})

/** A line of each kind that a statement can have. */
const LINES: readonly InvestorMovement[] = [
  moved(2, {
    ...{ movement: 'deposit_confirmed', amount: 1_000_00n, available: 1_000_00n },
    ...{ network: 'Bitcoin', evidence: 'ab'.repeat(32), output: 1, address: 'bc1q=formula' },
    ...{ asset: 'BTC', coins: '0.01', rate: '100000', rateAt: new Date('2026-01-02T11:59:00Z') },
  }),
  moved(3, {
    ...{ movement: 'investment_opened', amount: 500_00n, interest: 35_00n },
    ...{ investmentId: idOf(3), available: -500_00n, invested: 500_00n, promised: 35_00n },
  }),
  moved(4, { movement: 'loss_shared', amount: 10_01n, invested: -10_01n }),
  moved(5, { movement: 'loss_returned', amount: 5_00n, available: 5_00n }),
  moved(6, {
    ...{ movement: 'investment_matured', amount: 489_99n, interest: 35_00n },
    ...{ investmentId: idOf(3), available: 524_99n, invested: -489_99n, promised: -35_00n },
  }),
  moved(7, { movement: 'withdrawal_held', amount: 100_00n, available: -100_00n, held: 100_00n }),
  moved(8, { movement: 'withdrawal_released', amount: 1_00n, available: 1_00n, held: -1_00n }),
  moved(9, { movement: 'withdrawal_approved', amount: 99_00n, held: -99_00n, onTheWay: 99_00n }),
  moved(10, {
    ...{ movement: 'withdrawal_completed', amount: 90_00n, onTheWay: -90_00n },
    ...{ network: 'Ethereum', evidence: `0x${'cd'.repeat(32)}`, address: '0xabc' },
  }),
  moved(11, {
    ...{ movement: 'withdrawal_returned', amount: 9_00n, onTheWay: -9_00n, available: 9_00n },
  }),
  moved(12, { movement: 'deposit_reversed', amount: 20_00n, debt: 20_00n }),
  moved(13, { movement: 'claim_collected', amount: 15_00n, available: -15_00n, debt: -15_00n }),
  moved(14, { movement: 'claim_written_off', amount: 5_00n, debt: -5_00n }),
]

const OPENING = { ...NOTHING, available: 7n } satisfies Record<StatementPart, bigint | null>

const headOf = (name: string): StatementHead => ({
  ...{ form: 'pool statement', version: 1, of: 'investor', name },
  investor: { id: INVESTOR, name: 'Ana "Ann" Núñez' },
  currency: 'USD',
  period: {
    ...{ name: '2026-01', from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
    isComplete: true,
  },
  opening: balancesText(partsOf(OPENING)),
})

const made = (form: (typeof statementForms)[number], lines = LINES): string => {
  const { begin, lines: write, end } = writers[form]()
  const count = openCount(partsOf(OPENING))
  const parts = lines.map((line) => write([count.add(line)]))
  return [begin(headOf(`statement.${form}`)), ...parts, end(count.end())].join('')
}

const kept = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'golden', name), 'utf8')

/** The public key of the kept signature, whose private key is gone. */
const PUBLIC_KEY = 'orhBerglgOZPRNKsFUW5OkPRW3ah8FlxT0PRBywG8rs'

test.each(statementForms)('the form %s of version 1 stays as it was', (form) => {
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

test('other programs book what came, went and was earned', () => {
  const { lines, opening, closing } = statementSchema.parse(JSON.parse(made('json')))
  const read = (form: 'portfolio-performance' | 'ghostfolio') => {
    const [heading = [], ...rows] = readCsv(made(form)).map(({ cells }) => cells)
    return rows.map((row) => Object.fromEntries(heading.map((name, n) => [name, row[n] ?? ''])))
  }
  const cents = (text: string) => Math.round(Number(text) * 100)
  // Without promised interest: that comes at the maturity.
  const owed = (parts: typeof opening) => cents(parts.total) - cents(parts.promised)
  const booked = read('portfolio-performance')
  const sum = booked.reduce((all, { Type = '', Value = '' }) => {
    expect(['Deposit', 'Removal', 'Interest', 'Fees', 'Fees Refund']).toContain(Type)
    return all + (Type === 'Removal' || Type === 'Fees' ? -1 : 1) * cents(Value)
  }, 0)
  expect(sum).toBe(owed(closing) - owed(opening))
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
  expect(activities).toHaveLength(3)
  expect(lines.length).toBeGreaterThan(activities.length)
})

test('periods are months and years in UTC', () => {
  const now = new Date('2026-03-01T00:00:30Z')
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
    ...['2026', '2026-03', '2026-02', '2026-01', '2025', '2025-12', '2025-11'],
  ])
})
