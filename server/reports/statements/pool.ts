/** The pool's own statement: every transfer with running balances (docs/product.md 5.39). */
import { BYTE_ORDER_MARK, type CsvColumn, csvHeading, csvLines } from '@pool/contract/base/csv'
import { type AccountKind, accountKinds, type MovementName } from '@pool/contract/money/ledger'
import type {
  PoolStatement,
  PoolStatementForm,
  PoolStatementLine,
} from '@pool/contract/reports/poolStatements'
import { STATEMENT_VERSION } from '@pool/contract/reports/statements'
import {
  type PoolTransfer,
  requireUnarchived,
  selectAccountsBefore,
  selectPoolTransfers,
} from '../../ledger/sums/poolTransfers.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { writeSigned } from './archive.ts'
import { dollarsText, recordOf } from './count.ts'
import { type Period, periodText, untilIn } from './period.ts'
import { writePoolCoins } from './poolCoins.ts'

type Balances = Record<AccountKind, bigint>

/** Running balances, which it changes, and totals, one transfer after another. */
export const openBooks = (balances: Balances) => {
  const kinds = new Map<MovementName, { count: number; amount: bigint }>()
  const add = (transfer: PoolTransfer): PoolStatementLine => {
    const { at, movement, referenceId, investorId, from, to, amount } = transfer
    balances[from] -= amount
    balances[to] += amount
    const kind = kinds.get(movement) ?? { count: 0, amount: 0n }
    kinds.set(movement, { count: kind.count + 1, amount: kind.amount + amount })
    return {
      at: at.toISOString(),
      movement,
      referenceId,
      investorId,
      from,
      to,
      amount: dollarsText(amount),
      fromBalance: dollarsText(balances[from]),
      toBalance: dollarsText(balances[to]),
      network: transfer.network,
      networkTransaction: transfer.evidence,
      asset: transfer.asset,
      coins: transfer.coins,
    }
  }
  const end = (): Pick<PoolStatement, 'closing' | 'totals'> => ({
    closing: accountsText(balances),
    totals: [...kinds].map(([movement, { count, amount }]) => ({
      movement,
      count,
      amount: dollarsText(amount),
    })),
  })
  return { add, end }
}

const accountsText = (balances: Balances): PoolStatement['opening'] =>
  recordOf(accountKinds, (kind) => dollarsText(balances[kind]))

const column = (
  heading: string,
  value: CsvColumn<PoolStatementLine>['value'],
): CsvColumn<PoolStatementLine> => ({ heading, value })

const COLUMNS: readonly CsvColumn<PoolStatementLine>[] = [
  column('at', ({ at }) => at),
  column('movement', ({ movement }) => movement),
  column('reference_id', ({ referenceId }) => referenceId),
  column('investor_id', ({ investorId }) => investorId),
  column('from', ({ from }) => from),
  column('to', ({ to }) => to),
  column('amount', ({ amount }) => ({ dollars: Number(amount) })),
  column('from_balance', ({ fromBalance }) => ({ dollars: Number(fromBalance) })),
  column('to_balance', ({ toBalance }) => ({ dollars: Number(toBalance) })),
  column('network', ({ network }) => network),
  column('network_transaction', ({ networkTransaction }) => networkTransaction),
  column('asset', ({ asset }) => asset),
  column('coins', ({ coins }) => coins),
]

type PoolHead = Omit<PoolStatement, 'lines' | 'closing' | 'totals'>

const writers = {
  json: () => {
    let before = ''
    return {
      begin: (head: PoolHead) => `${JSON.stringify(head, null, 1).slice(0, -2)},\n "lines": [`,
      lines: (lines: readonly PoolStatementLine[]) =>
        lines
          .map((line) => {
            const text = `${before}\n  ${JSON.stringify(line)}`
            before = ','
            return text
          })
          .join(''),
      end: (end: object) => `\n ],\n${JSON.stringify(end, null, 1).slice(2)}\n`,
    }
  },
  csv: () => ({
    begin: () => BYTE_ORDER_MARK + csvHeading(COLUMNS),
    lines: (lines: readonly PoolStatementLine[]) => csvLines(lines, COLUMNS),
    end: () => '',
  }),
} as const

type PoolStatementRequest = { readonly period: Period; readonly form: PoolStatementForm }

export const poolStatementName = ({ period, form }: PoolStatementRequest): string =>
  form === 'coins'
    ? `pool-coins-${period.name}${untilIn(period)}.csv`
    : `pool-statement-${period.name}${untilIn(period)}.${form}`

/** Writes the statement and its signature into an archive. */
export const writePoolStatement = (context: OnRecord, asked: PoolStatementRequest) =>
  asked.form === 'coins'
    ? writePoolCoins(context, { name: poolStatementName(asked), period: asked.period })
    : writePoolDollars(context, { ...asked, form: asked.form })

type AskedDollars = PoolStatementRequest & { readonly form: keyof typeof writers }

const writePoolDollars =
  (context: OnRecord, asked: AskedDollars) => (hand: (bytes: Buffer) => Promise<void>) =>
    writeSigned<PoolTransfer>(
      context,
      async (snapshot) => {
        await requireUnarchived(snapshot, asked.period.from)
        const { rows } = await selectAccountsBefore(asked.period.from).execute(snapshot)
        const amounts = new Map(rows.map(({ kind, amount }) => [kind, amount]))
        const balances = recordOf(accountKinds, (kind) => amounts.get(kind) ?? 0n)
        const name = poolStatementName(asked)
        const { begin, lines, end } = writers[asked.form]()
        const beginning = begin({
          form: 'pool statement',
          version: STATEMENT_VERSION,
          of: 'pool',
          name,
          currency: 'USD',
          period: periodText(asked.period),
          opening: accountsText(balances),
        })
        const books = openBooks(balances)
        return {
          name,
          beginning,
          query: selectPoolTransfers(asked.period),
          add: (transfers) => lines(transfers.map(books.add)),
          end: () => end(books.end()),
        }
      },
      hand,
    )
