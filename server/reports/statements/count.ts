/** Running balances and totals of a statement, in cents. Their memory does not grow with lines. */
import { type Cents, cents } from '@pool/contract/base/money'
import type { MovementName } from '@pool/contract/money/ledger'
import {
  type Statement,
  type StatementEnd,
  type StatementLine,
  type StatementPart,
  type StatementSum,
  statementBalances,
  statementParts,
  statementSums,
} from '@pool/contract/reports/statements'
import type { InvestorMovement, Parts } from '../../ledger/sums/investorMovements.ts'
import { factsOf } from './movementFacts.ts'

/** Dollars with two decimals: `-12.30`. */
export const dollarsText = (amount: bigint): string => {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const recordOf = <Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): Record<Name, Value> =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>

export const partsOf = (row: Readonly<Record<StatementPart, bigint | null>>): Parts =>
  recordOf(statementParts, (part) => row[part] ?? 0n)

/** Money that is the investor's, less the debt. Promised interest is not earned yet. */
const totalOf = ({ available, held, onTheWay, invested, debt }: Parts): Cents =>
  cents(available + held + onTheWay + invested - debt)

export const balancesText = (parts: Parts): Statement['opening'] => {
  const all = { ...parts, total: totalOf(parts) }
  return recordOf(statementBalances, (balance) => dollarsText(all[balance]))
}

type Sums = Record<StatementSum, bigint>
const nothing = (): Sums => recordOf(statementSums, () => 0n)
const sumsText = (sums: Sums) => recordOf(statementSums, (sum) => dollarsText(sums[sum]))

/** Interest of an investment is earned when it is paid. An opening sets it aside. */
const earnedBy = ({ movement, interest }: InvestorMovement): bigint =>
  factsOf(movement).booked === 'interest' ? interest : 0n

type OfKind = { count: number; amount: bigint; interest: bigint; promised: bigint }

/** Counts the lines of a statement one after another. */
export const openCount = (opening: Parts) => {
  let balances = opening
  const sums = nothing()
  const kinds = new Map<MovementName, OfKind>()
  const months = new Map<string, Sums>()

  const add = (line: InvestorMovement): StatementLine => {
    const { at, movement, amount } = line
    const interest = earnedBy(line)
    const changes = partsOf(line)
    balances = recordOf(statementParts, (part) => balances[part] + changes[part])
    const kind = kinds.get(movement) ?? { count: 0, amount: 0n, interest: 0n, promised: 0n }
    kinds.set(movement, {
      count: kind.count + 1,
      amount: kind.amount + amount,
      interest: kind.interest + interest,
      promised: kind.promised + changes.promised,
    })
    const month = at.toISOString().slice(0, 7)
    const ofMonth = months.get(month) ?? nothing()
    months.set(month, ofMonth)
    for (const all of [sums, ofMonth]) {
      const { sum } = factsOf(movement)
      if (sum) all[sum] += amount
      all.interestEarned += interest
    }
    return lineOf(line, changes, balances)
  }

  const end = (): StatementEnd => ({
    closing: balancesText(balances),
    totals: {
      sums: sumsText(sums),
      byMovement: [...kinds].map(([movement, { count, amount, interest, promised }]) => ({
        movement,
        count,
        amount: dollarsText(amount),
        interest: dollarsText(interest),
        promised: dollarsText(promised),
      })),
      byMonth: [...months].map(([month, all]) => ({ month, sums: sumsText(all) })),
    },
  })
  /** The parts after the last line, in cents. */
  return { add, end, balances: () => balances }
}

const lineOf = (line: InvestorMovement, changes: Parts, balances: Parts): StatementLine => {
  const { at, movement, transactionId, investmentId, amount, network, evidence } = line
  const { asset, coins, rate, rateAt, output, address } = line
  return {
    at: at.toISOString(),
    movement,
    transactionId,
    investmentId,
    amount: dollarsText(amount),
    interest: dollarsText(earnedBy(line)),
    changes: balancesText(changes),
    balances: balancesText(balances),
    evidence:
      network !== null && evidence !== null ? { network, transaction: evidence, output } : null,
    coins:
      asset !== null && coins !== null
        ? { asset, amount: coins, dollarsEach: rate, rateAt: rateAt?.toISOString() ?? null }
        : null,
    address,
  }
}
