/** The yearly rate of a schedule, for people to compare loans by. No money is counted with it. */
import { daysBetween, type LoanPeriod } from './loanDays.ts'
import type { ScheduleLine, Terms } from './schedules.ts'

/** Periods in a year, as in annex III of Directive (EU) 2023/2225: 52 weeks or 12 equal months. */
const PER_YEAR: Readonly<Record<LoanPeriod, number>> = {
  weekly: 52,
  halfMonthly: 24,
  monthly: 12,
  quarterly: 4,
}

/** Days of a whole first period in a year of 360. None for weeks, which are not counted so. */
const WHOLE = { weekly: null, halfMonthly: 15n, monthly: 30n, quarterly: 90n } as const

/** Years from the disbursement to the first due day. Whole periods count as such. */
const yearsToFirst = ({ period, disbursedOn, firstDueOn }: Terms): number => {
  const days = Number(daysBetween(disbursedOn, firstDueOn, 'act365'))
  const whole =
    period === 'weekly'
      ? days === 7
      : daysBetween(disbursedOn, firstDueOn, '30e360') === WHOLE[period]
  return whole ? 1 / PER_YEAR[period] : days / 365
}

/** Far above every rate that terms may have. */
const MOST = 1e9
/** Halvings of the interval, after which a double changes no more. */
const STEPS = 100

/**
 * The yearly rate at which all payments together are worth the loan, in basis points: the equation
 * of annex III of Directive (EU) 2023/2225, without costs other than interest.
 */
export const yearlyRateOf = (terms: Terms, lines: readonly ScheduleLine[]): number => {
  const first = yearsToFirst(terms)
  const payments = lines.map(({ principal, interest }, index) => ({
    amount: Number(principal + interest),
    years: first + index / PER_YEAR[terms.period],
  }))
  const worth = (rate: number): number =>
    payments.reduce((sum, { amount, years }) => sum + amount / (1 + rate) ** years, 0)
  let [low, high] = [0, MOST]
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2
    if (worth(middle) > Number(terms.principal)) low = middle
    else high = middle
  }
  return Math.round(low * 10_000)
}
