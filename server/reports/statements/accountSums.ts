/** The chart of accounts with what moved in a period: opening, debits, credits, closing. */
import { BYTE_ORDER_MARK, type CsvColumn, csvHeading, csvLines } from '@pool/contract/base/csv'
import { type AccountKind, accountKinds, investorAccounts } from '@pool/contract/money/ledger'
import { chart, chartKinds } from './chart.ts'
import { dollarsText, recordOf } from './count.ts'
import type { PoolHead, PoolWriter } from './poolWriter.ts'

type Sums = { debits: bigint; credits: bigint }
type AccountRow = {
  readonly kind: AccountKind
  readonly opening: string
  readonly debits: string
  readonly credits: string
  readonly closing: string
}

const ofInvestors: readonly AccountKind[] = investorAccounts

const money = (heading: string, value: (row: AccountRow) => string): CsvColumn<AccountRow> => ({
  heading,
  value: (row) => ({ dollars: Number(value(row)) }),
})

const COLUMNS: readonly CsvColumn<AccountRow>[] = [
  { heading: 'account', value: ({ kind }) => kind },
  { heading: 'class', value: ({ kind }) => chart[kind].class },
  { heading: 'side', value: ({ kind }) => chart[kind].side },
  { heading: 'sign', value: ({ kind }) => (chart[kind].side === 'debit' ? -1 : 1) },
  { heading: 'of', value: ({ kind }) => (ofInvestors.includes(kind) ? 'investors' : 'pool') },
  money('opening', ({ opening }) => opening),
  money('debits', ({ debits }) => debits),
  money('credits', ({ credits }) => credits),
  money('closing', ({ closing }) => closing),
  { heading: 'means', value: ({ kind }) => chart[kind].means },
]

const centsOf = (text: string): bigint => BigInt(text.replace('.', ''))

export const accountSums = (): PoolWriter => {
  const sums = recordOf(accountKinds, (): Sums => ({ debits: 0n, credits: 0n }))
  let opening: PoolHead['opening'] | undefined
  return {
    begin: (head) => {
      opening = head.opening
      return BYTE_ORDER_MARK + csvHeading(COLUMNS)
    },
    lines: (lines) => {
      for (const { from, to, amount } of lines) {
        sums[from].debits += centsOf(amount)
        sums[to].credits += centsOf(amount)
      }
      return ''
    },
    end: ({ closing }) =>
      csvLines(
        chartKinds.map((kind) => ({
          kind,
          opening: opening?.[kind] ?? '0.00',
          debits: dollarsText(sums[kind].debits),
          credits: dollarsText(sums[kind].credits),
          closing: closing[kind] ?? '0.00',
        })),
        COLUMNS,
      ),
  }
}
