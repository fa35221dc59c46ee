/** Forms of a statement that other programs import (docs/statements.md). */
import { type CsvColumn, type CsvSigns, csvHeading, csvLines } from '@pool/contract/base/csv'
import type { StatementLine } from '@pool/contract/reports/statements'
import { type BookedKind, factsOf } from './movementFacts.ts'
import type { Writer } from './writer.ts'

/** A line of another program's account, in dollars above zero. */
type Booked = { readonly type: string; readonly dollars: string; readonly line: StatementLine }

/** The lines that a program books, by its words. A kind without a word is left out. */
const bookedAs =
  (words: Partial<Record<BookedKind, string>>) =>
  (lines: readonly StatementLine[]): Booked[] =>
    lines.flatMap((line) => {
      const kind = factsOf(line.movement).booked
      const type = kind && words[kind]
      const dollars = kind === 'interest' ? line.interest : line.amount
      return type && dollars !== '0.00' ? [{ type, dollars, line }] : []
    })

/** Says in words what the types of another program cannot. */
const noteOf = ({ movement, transactionId }: StatementLine): string =>
  `${movement.replaceAll('_', ' ')} ${transactionId}`

const writerOf = (
  columns: readonly CsvColumn<Booked>[],
  book: ReturnType<typeof bookedAs>,
  signs?: CsvSigns,
): Writer => ({
  begin: () => csvHeading(columns, signs),
  lines: (lines) => csvLines(book(lines), columns, signs),
  end: () => '',
})

const day = ({ line: { at } }: Booked): string => at.slice(0, 10)
const note = ({ line }: Booked): string => noteOf(line)
const dollars = ({ dollars: text }: Booked) => ({ dollars: Number(text) })

type PortfolioWords = {
  readonly headings: readonly [string, string, string, string, string, string]
  readonly types: Readonly<Record<BookedKind, string>>
  readonly signs: CsvSigns
}

const PORTFOLIO: Readonly<Record<'en' | 'de', PortfolioWords>> = {
  en: {
    headings: ['Date', 'Time', 'Type', 'Value', 'Transaction Currency', 'Note'],
    types: {
      in: 'Deposit',
      out: 'Withdrawal',
      interest: 'Interest',
      loss: 'Fees',
      lossReturned: 'Fees Refund',
      fee: 'Fees',
    },
    signs: { delimiter: ',', decimal: '.' },
  },
  de: {
    headings: ['Datum', 'Uhrzeit', 'Typ', 'Wert', 'Buchungswährung', 'Notiz'],
    types: {
      in: 'Einlage',
      out: 'Entnahme',
      interest: 'Zinsen',
      loss: 'Gebühren',
      lossReturned: 'Gebührenerstattung',
      fee: 'Gebühren',
    },
    signs: { delimiter: ';', decimal: ',' },
  },
}

/** "Account transactions" of Portfolio Performance, in the language of the program. */
export const portfolioPerformance = (language: keyof typeof PORTFOLIO) => (): Writer => {
  const { headings, types, signs } = PORTFOLIO[language]
  const [date, time, type, value, currency, words] = headings
  return writerOf(
    [
      { heading: date, value: day },
      { heading: time, value: ({ line: { at } }) => at.slice(11, 16) },
      { heading: type, value: (row) => row.type },
      { heading: value, value: dollars },
      { heading: currency, value: () => 'USD' },
      { heading: words, value: note },
    ],
    bookedAs(types),
    signs,
  )
}

/**
 * Activities of Ghostfolio. It has none for cash that comes and goes, and none that takes a fee
 * back: its fees are zero or more, and what came back of a loss is no interest.
 */
export const ghostfolio = (): Writer =>
  writerOf(
    [
      { heading: 'Date', value: day },
      { heading: 'Code', value: () => 'Peer Lending Pool' },
      { heading: 'DataSource', value: () => 'MANUAL' },
      { heading: 'Currency', value: () => 'USD' },
      { heading: 'Price', value: (row) => (row.type === 'fee' ? { dollars: 0 } : dollars(row)) },
      { heading: 'Quantity', value: ({ type }) => (type === 'fee' ? 0 : 1) },
      { heading: 'Action', value: ({ type }) => type },
      { heading: 'Fee', value: (row) => (row.type === 'fee' ? dollars(row) : { dollars: 0 }) },
      { heading: 'Note', value: note },
    ],
    bookedAs({ interest: 'interest', loss: 'fee', fee: 'fee' }),
  )
