/** The pool's own statement: every transfer with running balances (docs/product.md 5.39). */
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
import { poolWriters } from './poolForms.ts'

type Balances = Record<AccountKind, bigint>

/** Numbers events from 1 on in each month. Lines of one cause and moment are one event. */
const countPostings = () => {
  let [month, number, event] = ['', 0, '']
  return (transfer: PoolTransfer): string => {
    const at = transfer.at.toISOString()
    if (!at.startsWith(month) || month === '') [month, number, event] = [at.slice(0, 7), 0, '']
    const key = `${at} ${transfer.event}`
    if (key !== event) [number, event] = [number + 1, key]
    return `${month}/${number}`
  }
}

/** Running balances, which it changes, and totals, one transfer after another. */
export const openBooks = (balances: Balances) => {
  const kinds = new Map<MovementName, { count: number; amount: bigint }>()
  const postingOf = countPostings()
  const add = (transfer: PoolTransfer): PoolStatementLine => {
    const { at, movement, referenceId, investorId, from, to, amount } = transfer
    balances[from] -= amount
    balances[to] += amount
    const kind = kinds.get(movement) ?? { count: 0, amount: 0n }
    kinds.set(movement, { count: kind.count + 1, amount: kind.amount + amount })
    return {
      at: at.toISOString(),
      posting: postingOf(transfer),
      valueDay: transfer.valueDay,
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
      loanId: transfer.loanId,
      borrowerId: transfer.borrowerId,
      instalments: transfer.instalments,
      paymentReference: transfer.paymentReference,
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

type PoolStatementRequest = { readonly period: Period; readonly form: PoolStatementForm }

export const poolStatementName = ({ period, form }: PoolStatementRequest): string =>
  form === 'coins'
    ? `pool-coins-${period.name}${untilIn(period)}.csv`
    : `pool-statement-${period.name}${untilIn(period)}${form === 'accounts' ? '-accounts.csv' : `.${form}`}`

/** Writes the statement and its signature into an archive. */
export const writePoolStatement = (context: OnRecord, asked: PoolStatementRequest) =>
  asked.form === 'coins'
    ? writePoolCoins(context, { name: poolStatementName(asked), period: asked.period })
    : writePoolDollars(context, { ...asked, form: asked.form })

type AskedDollars = PoolStatementRequest & { readonly form: keyof typeof poolWriters }

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
        const { begin, lines, end } = poolWriters[asked.form]()
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
