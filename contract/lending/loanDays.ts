/** Calendar days of loans: due dates, and the days that interest is counted for. */

export const loanPeriods = ['weekly', 'halfMonthly', 'monthly', 'quarterly'] as const
export type LoanPeriod = (typeof loanPeriods)[number]

/** Actual days of a year of 365, or months of 30 days of a year of 360. */
export const dayCounts = ['act365', '30e360'] as const
export type DayCount = (typeof dayCounts)[number]

/** Days of the year that a yearly rate is for. */
export const daysOfYear: Readonly<Record<DayCount, bigint>> = { act365: 365n, '30e360': 360n }

/** A day of the calendar, and its number in both ways to count. */
export type LoanDay = {
  /** ISO text: `2026-01-31`. */
  readonly on: string
  /** Days since 1 January 1970. */
  readonly number: number
  /** Days of months of 30. */
  readonly of30: number
}

const DAY_MS = 86_400_000

const daysIn = (month: number): number =>
  new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate()

/**
 * The day of a month, its last one where the month is shorter. It counts as the day it stands for,
 * so whole months have 30 days. `month` counts months since the year 0.
 */
const dayIn = (month: number, day: number): LoanDay => {
  const moment = Date.UTC(Math.floor(month / 12), month % 12, Math.min(day, daysIn(month)))
  return {
    on: new Date(moment).toISOString().slice(0, 10),
    number: moment / DAY_MS,
    of30: month * 30 + Math.min(day, 30),
  }
}

/** The day of that {@link LoanDay.number}. */
export const dayNumbered = (number: number): LoanDay => {
  const moment = new Date(number * DAY_MS)
  return dayIn(moment.getUTCFullYear() * 12 + moment.getUTCMonth(), moment.getUTCDate())
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** Reads a date of the years 1000 to 9999. Null for text that is none, such as `2026-02-30`. */
export const loanDay = (text: string): LoanDay | null => {
  const [year = 0, month = 0, date = 0] = (DATE.exec(text) ?? []).slice(1).map(Number)
  if (year < 1000 || month < 1 || month > 12) return null
  const day = dayIn(year * 12 + month - 1, date)
  return day.on === text ? day : null
}

const monthOf = ({ on }: LoanDay): number =>
  Number(on.slice(0, 4)) * 12 + Number(on.slice(5, 7)) - 1

/** Months from a due day to the next, where the period is of whole months. */
const MONTHS = { monthly: 1, quarterly: 3 } as const

type Due = {
  readonly period: LoanPeriod
  readonly firstDueOn: LoanDay
  /** Day of the month that instalments are due on. Short months have their last day. */
  readonly dueDay: number
  readonly instalments: number
}

/**
 * The two days of a month that half-monthly instalments are due on, 15 days apart in a month of 30:
 * the 1st and the 16th, the 15th and the last.
 */
const halves = (dueDay: number): readonly [number, number] =>
  dueDay > 15 ? [Math.min(dueDay, 30) - 15, dueDay] : [dueDay, dueDay + 15]

/** A date in ISO text that counts as that day of its month. Null as itself. */
export const dayAs = (text: string, day: number | null): LoanDay | null => {
  const read = loanDay(text)
  return read && day !== null ? dayIn(monthOf(read), day) : read
}

/**
 * The day of the month that a due day stands for, as {@link dueDays} has it: of 28 February the
 * 31st. Null where it stands for itself.
 */
export const dueAs = (
  dueOn: string,
  { period, dueDay }: Pick<Due, 'period' | 'dueDay'>,
): number | null => {
  if (period === 'weekly') return null
  const days = period === 'halfMonthly' ? halves(dueDay) : [dueDay]
  return days.find((day) => dayAs(dueOn, day)?.on === dueOn) ?? null
}

/** True if instalments that are due on this day of the month can begin on that date. */
export const canBegin = ({ period, firstDueOn, dueDay }: Omit<Due, 'instalments'>): boolean =>
  period === 'weekly' || dueAs(firstDueOn.on, { period, dueDay }) !== null

/** The due days, one for each instalment. The first is one that {@link canBegin}. */
export const dueDays = ({ period, firstDueOn, dueDay, instalments }: Due): LoanDay[] => {
  const first = monthOf(firstDueOn)
  const numbers = Array.from({ length: instalments }, (_, index) => index)
  if (period === 'weekly') return numbers.map((index) => dayNumbered(firstDueOn.number + 7 * index))
  if (period !== 'halfMonthly')
    return numbers.map((index) => dayIn(first + MONTHS[period] * index, dueDay))
  const [early, late] = halves(dueDay)
  const begins = dayIn(first, early).on === firstDueOn.on ? 0 : 1
  return numbers.map((index) => {
    const half = begins + index
    return dayIn(first + Math.floor(half / 2), half % 2 === 0 ? early : late)
  })
}

/** Days that interest is counted for. */
export const daysBetween = (from: LoanDay, to: LoanDay, dayCount: DayCount): bigint =>
  BigInt(dayCount === 'act365' ? to.number - from.number : to.of30 - from.of30)
