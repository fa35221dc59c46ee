/** The forms of a statement's file, as text that grows with its lines (docs/statements.md). */
import { BYTE_ORDER_MARK, type CsvColumn, csvHeading, csvLines } from '@pool/contract/base/csv'
import {
  type StatementForm,
  type StatementLine,
  statementBalances,
  statementParts,
} from '@pool/contract/reports/statements'
import { ghostfolio, portfolioPerformance } from './otherPrograms.ts'
import type { Writer } from './writer.ts'

const json = (): Writer => {
  let isFirst = true
  return {
    begin: (head) => `${JSON.stringify(head, null, 1).slice(0, -2)},\n "lines": [`,
    lines: (lines) =>
      lines
        .map((line) => {
          const text = `${isFirst ? '' : ','}\n  ${JSON.stringify(line)}`
          isFirst = false
          return text
        })
        .join(''),
    end: (end) => `${isFirst ? '' : '\n '}],\n${JSON.stringify(end, null, 1).slice(2)}\n`,
  }
}

const text = (heading: string, value: (line: StatementLine) => string | number | null) => ({
  heading,
  value,
})
const money = (heading: string, value: (line: StatementLine) => string) => ({
  heading,
  // Within 2^53 cents a number has these two decimals.
  value: (line: StatementLine) => ({ dollars: Number(value(line)) }),
})

const COLUMNS: readonly CsvColumn<StatementLine>[] = [
  text('at', ({ at }) => at),
  text('movement', ({ movement }) => movement),
  text('transaction_id', ({ transactionId }) => transactionId),
  text('investment_id', ({ investmentId }) => investmentId),
  money('amount', ({ amount }) => amount),
  money('interest', ({ interest }) => interest),
  ...statementParts.map((part) => money(`${nameOf(part)}_change`, ({ changes }) => changes[part])),
  ...statementBalances.map((balance) =>
    money(nameOf(balance), ({ balances }) => balances[balance]),
  ),
  text('network', ({ evidence }) => evidence?.network ?? null),
  text('network_transaction', ({ evidence }) => evidence?.transaction ?? null),
  text('network_output', ({ evidence }) => evidence?.output ?? null),
  text('asset', ({ coins }) => coins?.asset ?? null),
  text('coins', ({ coins }) => coins?.amount ?? null),
  text('dollars_per_coin', ({ coins }) => coins?.dollarsEach ?? null),
  text('rate_at', ({ coins }) => coins?.rateAt ?? null),
  text('address', ({ address }) => address),
]

function nameOf(balance: (typeof statementBalances)[number]): string {
  return balance === 'onTheWay' ? 'on_the_way' : balance
}

/** Lines alone: the balances before the first are the first balances less its changes. */
const csv = (): Writer => ({
  begin: () => BYTE_ORDER_MARK + csvHeading(COLUMNS),
  lines: (lines) => csvLines(lines, COLUMNS),
  end: () => '',
})

/** The forms that are text. */
export const textWriters: Readonly<Record<Exclude<StatementForm, 'pdf'>, () => Writer>> = {
  json,
  csv,
  'portfolio-performance-en': portfolioPerformance('en'),
  'portfolio-performance-de': portfolioPerformance('de'),
  ghostfolio,
}
