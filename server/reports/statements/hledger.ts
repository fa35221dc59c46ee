/**
 * The pool's books as a journal of hledger: a transaction for each posting, and at the end the
 * balance of each account, which the program compares. Debits are positive there.
 */
import type { AccountKind } from '@pool/contract/money/ledger'
import type { PoolStatement, PoolStatementLine } from '@pool/contract/reports/poolStatements'
import { type AccountClass, chart, chartKinds } from './chart.ts'
import { openingOf, type PoolHead, type PoolWriter } from './poolWriter.ts'

const CLASSES = {
  asset: { name: 'assets', type: 'A' },
  liability: { name: 'liabilities', type: 'L' },
  equity: { name: 'equity', type: 'E' },
} as const satisfies Record<AccountClass, { readonly name: string; readonly type: string }>

const accountOf = (kind: AccountKind): string => `${CLASSES[chart[kind].class].name}:${kind}`

const debit = (dollars: string): string => `${dollars} USD`
const credit = (dollars: string): string =>
  debit(
    Number(dollars) === 0 ? dollars : dollars.startsWith('-') ? dollars.slice(1) : `-${dollars}`,
  )

/** Signs that would end a tag, or begin a date of its own. */
const UNFIT = /[\s\p{C},;|[\]]+/gu

const tagsOf = (tags: Readonly<Record<string, string | null>>): string =>
  Object.entries(tags)
    .flatMap(([name, value]) => (value ? `${name}:${value.replace(UNFIT, ' ').trim()}` : []))
    .join(', ')

const posting = (kind: AccountKind, amount: string, comment = ''): string =>
  `    ${accountOf(kind)}  ${amount}${comment && `  ; ${comment}`}\n`

const transaction = (moment: string, number: string, description: string): string =>
  `\n${moment.slice(0, 10)} (${number}) ${description}\n`

const declarations = ({ name }: PoolHead): string =>
  [
    `; ${name}`,
    '; Debits are positive. The number in brackets is that of the posting in all forms.',
    'decimal-mark .',
    'commodity 1000.00 USD',
    ...chartKinds.map(
      (kind) => `account ${accountOf(kind)}  ; type:${CLASSES[chart[kind].class].type}`,
    ),
    '',
  ].join('\n')

const openingOfBooks = ({ period, opening }: PoolHead): string => {
  const open = chartKinds.filter((kind) => Number(opening[kind] ?? 0) !== 0)
  if (open.length === 0) return ''
  return (
    transaction(period.from, openingOf(period.from), 'opening') +
    open.map((kind) => posting(kind, credit(opening[kind] ?? '0.00'))).join('')
  )
}

/** Both sides of a transfer. They come to zero. */
const sidesOf = (line: PoolStatementLine): string => {
  const tags = tagsOf({
    at: line.at,
    value_day: line.valueDay,
    movement: line.movement,
    reference: line.referenceId,
    investor: line.investorId,
    network: line.network,
    network_transaction: line.networkTransaction,
    asset: line.asset,
    coins: line.coins,
    loan: line.loanId,
    borrower: line.borrowerId,
    instalments: line.instalments,
    payment_reference: line.paymentReference,
  })
  return posting(line.from, debit(line.amount), tags) + posting(line.to, credit(line.amount))
}

/** The last day of the period, or the day of its making. */
const closingOfBooks = (to: string, closing: PoolStatement['closing']): string => {
  const last = new Date(Date.parse(to) - 1).toISOString()
  return (
    transaction(last, `${last.slice(0, 7)}/end`, 'closing balances') +
    chartKinds
      .map((kind) => posting(kind, `0.00 USD = ${credit(closing[kind] ?? '0.00')}`))
      .join('')
  )
}

export const hledger = (): PoolWriter => {
  let [number, to] = ['', '']
  return {
    begin: (head) => {
      to = head.period.to
      return declarations(head) + openingOfBooks(head)
    },
    lines: (lines) =>
      lines
        .map((line) => {
          const isNext = line.posting !== number
          number = line.posting
          return (isNext ? transaction(line.at, line.posting, line.movement) : '') + sidesOf(line)
        })
        .join(''),
    end: ({ closing }) => closingOfBooks(to, closing),
  }
}
