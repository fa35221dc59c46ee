/** The forms of the pool's statement in dollars, as text that grows with its lines. */
import { BYTE_ORDER_MARK, type CsvColumn, csvHeading, csvLines } from '@pool/contract/base/csv'
import type { AccountKind } from '@pool/contract/money/ledger'
import type { PoolStatementLine } from '@pool/contract/reports/poolStatements'
import { accountSums } from './accountSums.ts'
import { chartKinds } from './chart.ts'
import { hledger } from './hledger.ts'
import { openingOf, type PoolHead, type PoolWriter } from './poolWriter.ts'

const json = (): PoolWriter => {
  let before = ''
  return {
    begin: (head) => `${JSON.stringify(head, null, 1).slice(0, -2)},\n "lines": [`,
    lines: (lines) =>
      lines
        .map((line) => {
          const text = `${before}\n  ${JSON.stringify(line)}`
          before = ','
          return text
        })
        .join(''),
    end: (end) => `\n ],\n${JSON.stringify(end, null, 1).slice(2)}\n`,
  }
}

/** A line of the CSV. The opening balance of an account has no other side. */
type BookLine = Partial<PoolStatementLine> & Pick<PoolStatementLine, 'at' | 'amount'>

const openingLines = ({ period, opening }: PoolHead): BookLine[] =>
  chartKinds.map((to: AccountKind) => {
    const amount = opening[to] ?? '0.00'
    return { at: period.from, posting: openingOf(period.from), to, amount, toBalance: amount }
  })

const text = (
  heading: string,
  value: (line: BookLine) => string | null | undefined,
): CsvColumn<BookLine> => ({ heading, value: (line) => value(line) ?? null })

const money = (
  heading: string,
  value: (line: BookLine) => string | undefined,
): CsvColumn<BookLine> => ({
  heading,
  value: (line) => {
    const dollars = value(line)
    return dollars === undefined ? null : { dollars: Number(dollars) }
  },
})

const COLUMNS: readonly CsvColumn<BookLine>[] = [
  text('at', ({ at }) => at),
  text('posting', ({ posting }) => posting),
  text('value_day', ({ valueDay }) => valueDay),
  text('movement', ({ movement }) => movement ?? 'opening'),
  text('reference_id', ({ referenceId }) => referenceId),
  text('investor_id', ({ investorId }) => investorId),
  text('from', ({ from }) => from),
  text('to', ({ to }) => to),
  money('amount', ({ amount }) => amount),
  money('from_balance', ({ fromBalance }) => fromBalance),
  money('to_balance', ({ toBalance }) => toBalance),
  text('network', ({ network }) => network),
  text('network_transaction', ({ networkTransaction }) => networkTransaction),
  text('asset', ({ asset }) => asset),
  text('coins', ({ coins }) => coins),
  text('loan_id', ({ loanId }) => loanId),
  text('borrower_id', ({ borrowerId }) => borrowerId),
  text('instalments', ({ instalments }) => instalments),
  text('payment_reference', ({ paymentReference }) => paymentReference),
]

/** Begins with the balance of each account, so that a month needs no other file. */
const csv = (): PoolWriter => ({
  begin: (head) => BYTE_ORDER_MARK + csvHeading(COLUMNS) + csvLines(openingLines(head), COLUMNS),
  lines: (lines) => csvLines(lines, COLUMNS),
  end: () => '',
})

export const poolWriters = { json, csv, accounts: accountSums, hledger } as const satisfies Record<
  string,
  () => PoolWriter
>
