/**
 * Schedules of loans, exact to the cent (docs/decisions/056). Pure functions: staff see with them,
 * while they type, what the server stores.
 */
import { type Cents, cents } from '../base/money.ts'
import {
  type DayCount,
  daysBetween,
  daysOfYear,
  dueDays,
  type LoanDay,
  type LoanPeriod,
} from './loanDays.ts'

/** Equal payments, equal parts of the principal, or interest alone and all principal at last. */
export const scheduleKinds = ['annuity', 'equalPrincipal', 'interestOnly'] as const
export type ScheduleKind = (typeof scheduleKinds)[number]

/** A line of a schedule. Principal and interest are due on that day, `balance` is owed after it. */
export type ScheduleLine = {
  /** ISO text. */
  readonly dueOn: string
  readonly principal: Cents
  readonly interest: Cents
  readonly balance: Cents
}

type Lent = {
  readonly kind: ScheduleKind
  readonly principal: Cents
  /** Basis points a year. */
  readonly rateBasisPoints: number
}

/** The terms of a loan, whose first due day `canBegin` (loanDays.ts). */
export type Terms = Lent & {
  readonly period: LoanPeriod
  readonly dayCount: DayCount
  readonly instalments: number
  readonly disbursedOn: LoanDay
  readonly firstDueOn: LoanDay
  /** Day of the month that instalments are due on. */
  readonly dueDay: number
}

/** The days that interest is counted for, of a year of so many. */
export type Span = { readonly days: bigint; readonly year: bigint }

/** The span from one due day to the next, with that day in ISO text. */
export type DueSpan = Span & { readonly dueOn: string }

/** Basis points in a whole. */
const WHOLE = 10_000n

const halfUp = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator)

/** The lesser of two amounts. */
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Interest on a balance, rounded half up once. The rate is in basis points a year. */
export const interestFor = (balance: Cents, rateBasisPoints: number, { days, year }: Span): Cents =>
  cents(halfUp(balance * BigInt(rateBasisPoints) * days, WHOLE * year))

/**
 * The equal payment of an annuity over spans of any length, P ÷ Σ Π 1/(1+f), rounded half up. The
 * fraction is exact: each span adds some 22 bits to it.
 */
const annuityPayment = ({ principal, rateBasisPoints }: Lent, spans: readonly Span[]): bigint => {
  let [numerator, denominator] = [0n, 1n]
  for (const { days, year } of spans.toReversed()) {
    numerator = WHOLE * year * (denominator + numerator)
    denominator *= WHOLE * year + BigInt(rateBasisPoints) * days
  }
  return halfUp(principal * denominator, numerator)
}

/** The lines for given spans, at least one. */
export const scheduleOver = (lent: Lent, spans: readonly DueSpan[]): ScheduleLine[] => {
  const { kind, principal, rateBasisPoints } = lent
  const payment = kind === 'annuity' ? annuityPayment(lent, spans) : 0n
  const part = kind === 'equalPrincipal' ? halfUp(principal, BigInt(spans.length)) : 0n
  let balance: bigint = principal
  return spans.map(({ dueOn, ...span }, index) => {
    const interest = interestFor(cents(balance), rateBasisPoints, span)
    // A long first span can earn more than a payment: then no principal is due in it.
    const repaid = kind === 'annuity' ? (payment > interest ? payment - interest : 0n) : part
    const due = index === spans.length - 1 ? balance : least(repaid, balance)
    balance -= due
    return { dueOn, principal: cents(due), interest, balance: cents(balance) }
  })
}

/** The schedule of a loan. */
export const scheduleOf = (terms: Terms): ScheduleLine[] => {
  const { dayCount, disbursedOn } = terms
  const days = dueDays(terms)
  const spans = days.map((day, index) => ({
    dueOn: day.on,
    days: daysBetween(days[index - 1] ?? disbursedOn, day, dayCount),
    year: daysOfYear[dayCount],
  }))
  return scheduleOver(terms, spans)
}

/** The most times that a last payment may be the largest other one. */
const LAST_TIMES = 2n

/**
 * True if roundings left the last payment more than twice the largest other one, as of $8 in 599
 * equal parts. Interest alone ends with all principal by its name.
 */
export const isLastLarge = (
  kind: ScheduleKind,
  lines: readonly Pick<ScheduleLine, 'principal' | 'interest'>[],
): boolean => {
  if (kind === 'interestOnly' || lines.length < 2) return false
  const payments = lines.map(({ principal, interest }) => principal + interest)
  const last = payments.pop() ?? 0n
  return payments.every((payment) => last > LAST_TIMES * payment)
}
