/**
 * The split of a repayment: interest before principal, the oldest instalment first
 * (docs/product.md 5.26). Browser and server share it.
 */
import { type Cents, cents } from '../base/money.ts'
import {
  type DayCount,
  dayAs,
  daysBetween,
  daysOfYear,
  dueAs,
  type LoanDay,
  type LoanPeriod,
  loanDay,
} from './loanDays.ts'
import { interestFor, least } from './schedules.ts'

/** The unpaid parts of an instalment. */
export type Owed = {
  readonly number: number
  /** ISO text, so that days compare as text. */
  readonly dueOn: string
  readonly principal: Cents
  readonly interest: Cents
  /** Interest of it that was paid, none unless it says so. */
  readonly interestPaid?: Cents
}

/** The part of a repayment that pays an instalment. */
export type Part = {
  readonly number: number
  readonly principal: Cents
  readonly interest: Cents
}

export type Split = {
  readonly principal: Cents
  readonly interest: Cents
  readonly parts: readonly Part[]
}

const unpaid = ({ principal, interest }: Owed): bigint => principal + interest

/** Instalments due by a day, and the next one. */
const upToNext = (all: readonly Owed[], day: string): readonly Owed[] =>
  all.slice(0, all.filter(({ dueOn }) => dueOn <= day).length + 1)

/**
 * The most that a repayment of a day may be: what was due then and the next one, of all lines,
 * paid ones too. Of what is due after today only one is ever paid, so no later interest is taken.
 */
export const mostPayable = (all: readonly Owed[], valueOn: string, today: string): Cents => {
  const byToday = upToNext(all, today)
  const open = all.filter((each) => unpaid(each) > 0n)
  const payable = upToNext(open, valueOn).filter((each) => byToday.includes(each))
  return cents(payable.reduce((sum, each) => sum + unpaid(each), 0n))
}

/** Splits an amount over instalments in their order. At most what they owe is split. */
export const splitOf = (owed: readonly Owed[], amount: Cents): Split => {
  let left: bigint = amount
  const take = (most: Cents): Cents => {
    const taken = least(left, most)
    left -= taken
    return cents(taken)
  }
  const parts = owed
    .map(({ number, interest, principal }) => ({
      number,
      interest: take(interest),
      principal: take(principal),
    }))
    .filter(({ interest, principal }) => interest + principal > 0n)
  const sum = (part: 'principal' | 'interest') =>
    cents(parts.reduce((total, each) => total + each[part], 0n))
  return { principal: sum('principal'), interest: sum('interest'), parts }
}

/** The terms that interest is counted by, day by day. */
export type Accruing = {
  /** Interest counts from that day, ISO text. */
  readonly from: string
  /** Day of the month that it stands for. Null where it stands for itself. */
  readonly fromAs: number | null
  /** Basis points a year. */
  readonly rateBasisPoints: number
  readonly dayCount: DayCount
  readonly period: LoanPeriod
  readonly dueDay: number
  /** Interest from before new terms, which their first line owes. */
  readonly carried?: Carried
  /** Set once the loan is in default. */
  readonly stopped?: Stopped
}

/** Interest that a line owes beside its own or in place of it, with the paid part of it. */
export type Carried = { readonly number: number; readonly interest: Cents }

/** The day of a default, and the interest of the line after it that was earned by then. */
export type Stopped = { readonly on: string; readonly earned: Carried | undefined }

/** The part of such interest that a line still owes. */
const unpaidOf = (
  { number, interestPaid = cents(0n) }: Pick<Owed, 'number' | 'interestPaid'>,
  carried: Carried | undefined,
): Cents => {
  if (carried?.number !== number || carried.interest <= interestPaid) return cents(0n)
  return cents(carried.interest - interestPaid)
}

/** The last due day up to a day, or the first day of the terms, as the schedule counts it. */
const lastDue = (
  owed: readonly Owed[],
  on: string,
  { from, fromAs, ...accruing }: Accruing,
): LoanDay | null => {
  const last = owed.findLast(({ dueOn }) => dueOn <= on)
  return last ? dayAs(last.dueOn, dueAs(last.dueOn, accruing)) : dayAs(from, fromAs)
}

/** The day of the month that a first day of new terms stands for, where it is a due day before. */
export const startAs = (
  owed: readonly Owed[],
  on: string,
  { from, fromAs, ...accruing }: Accruing,
): number | null => {
  if (owed.some(({ dueOn }) => dueOn === on)) return dueAs(on, accruing)
  return on === from ? fromAs : null
}

/** Interest that the line of a day earned by then, paid or not, at most all of its own. */
const earnedBy = (owed: readonly Owed[], on: string, accruing: Accruing): Carried | undefined => {
  const { rateBasisPoints, dayCount, carried } = accruing
  const next = owed.find(({ dueOn }) => dueOn > on)
  const since = lastDue(owed, on, accruing)
  const until = loanDay(on)
  if (!next || !since || !until) return undefined
  const balance = owed.reduce(
    (sum, { dueOn, principal }) => (dueOn > on ? sum + principal : sum),
    0n,
  )
  const days = until.number > since.number ? daysBetween(since, until, dayCount) : 0n
  const earned = interestFor(cents(balance), rateBasisPoints, { days, year: daysOfYear[dayCount] })
  const before = carried?.number === next.number ? carried.interest : 0n
  const whole = next.interest + (next.interestPaid ?? 0n)
  return { number: next.number, interest: cents(least(earned + before, whole)) }
}

/** The end of interest by a default of that day: what was earned by then stays owed. */
export const stopOn = (owed: readonly Owed[], on: string, accruing: Accruing): Stopped => ({
  on,
  earned: earnedBy(owed, on, accruing),
})

/**
 * The payment that ends a loan on a day: all that is due by then, all other principal, and interest
 * by the day since the last due day. Later interest is never owed.
 */
export const payoffOf = (owed: readonly Owed[], on: string, accruing: Accruing): Split => {
  const { stopped } = accruing
  const earned = earnedBy(owed, on, accruing)
  const isDue = ({ dueOn }: Owed) => dueOn <= on || (stopped !== undefined && stopped.on <= on)
  const ending = owed.map((each) =>
    isDue(each) ? each : { ...each, interest: unpaidOf(each, earned) },
  )
  return splitOf(ending, cents(ending.reduce((sum, each) => sum + unpaid(each), 0n)))
}

type Line = Pick<Owed, 'number' | 'dueOn'> & {
  readonly principal: bigint
  readonly interest: bigint
  readonly principalPaid: bigint
  readonly interestPaid: bigint
}

/** The unpaid parts of a stored line. After a default it owes the interest earned by then alone. */
export const owedOfLine = (
  { number, dueOn, principal, interest, principalPaid, interestPaid }: Line,
  stopped: Stopped | undefined,
): Owed => {
  const paid = cents(interestPaid)
  return {
    number,
    dueOn,
    principal: cents(principal - principalPaid),
    interestPaid: paid,
    interest:
      stopped && dueOn > stopped.on
        ? unpaidOf({ number, interestPaid: paid }, stopped.earned)
        : cents(interest - interestPaid),
  }
}
