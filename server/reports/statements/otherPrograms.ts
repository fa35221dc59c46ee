/** Forms of a statement that other programs import (docs/statements.md). */
import { type CsvColumn, csvHeading, csvLines } from '@pool/contract/base/csv'
import type { StatementLine } from '@pool/contract/reports/statements'
import type { Writer } from './writer.ts'

/** A line of another program's account, in dollars above zero. */
type Booked = { readonly type: string; readonly dollars: string; readonly line: StatementLine }

type Kind = 'in' | 'out' | 'interest' | 'loss' | 'lossReturned' | 'fee' | 'feeReturned'

/**
 * Movements that come from outside or go there. Together they are the change of `total` without
 * promised interest. The others move money within.
 */
const KINDS: Partial<Record<StatementLine['movement'], Kind>> = {
  deposit_confirmed: 'in',
  deposit_reversed: 'out',
  claim_written_off: 'in',
  withdrawal_completed: 'out',
  investment_matured: 'interest',
  loss_shared: 'loss',
  loss_returned: 'lossReturned',
  withdrawal_fee_borne: 'fee',
  withdrawal_fee_returned: 'feeReturned',
}

/** The lines that a program books, by its words. A kind without a word is left out. */
const bookedAs =
  (words: Partial<Record<Kind, string>>) =>
  (lines: readonly StatementLine[]): Booked[] =>
    lines.flatMap((line) => {
      const kind = KINDS[line.movement]
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
): Writer => ({
  begin: () => csvHeading(columns),
  lines: (lines) => csvLines(book(lines), columns),
  end: () => '',
})

const day = ({ line: { at } }: Booked): string => at.slice(0, 10)
const note = ({ line }: Booked): string => noteOf(line)
const dollars = ({ dollars: text }: Booked) => ({ dollars: Number(text) })

/** "Account transactions" of Portfolio Performance, with its English words. */
export const portfolioPerformance = (): Writer =>
  writerOf(
    [
      { heading: 'Date', value: day },
      { heading: 'Time', value: ({ line: { at } }) => at.slice(11, 16) },
      { heading: 'Type', value: ({ type }) => type },
      { heading: 'Value', value: dollars },
      { heading: 'Transaction Currency', value: () => 'USD' },
      { heading: 'Note', value: note },
    ],
    bookedAs({
      in: 'Deposit',
      out: 'Removal',
      interest: 'Interest',
      loss: 'Fees',
      lossReturned: 'Fees Refund',
      fee: 'Fees',
      feeReturned: 'Fees Refund',
    }),
  )

/** Activities of Ghostfolio. It has none for cash that comes and goes. */
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
    bookedAs({
      interest: 'interest',
      loss: 'fee',
      lossReturned: 'interest',
      fee: 'fee',
      feeReturned: 'interest',
    }),
  )
