/** Days past due and their buckets (docs/product.md 5.28). */
import { dayNumbered, daysBetween, loanDay } from './loanDays.ts'
import type { Owed } from './repayments.ts'

/** The buckets of days past due, the best first: none, 1–30, 31–60, 61–90, and over 90. */
export const buckets = ['current', 'late1', 'late31', 'late61', 'late91'] as const
export type Bucket = (typeof buckets)[number]

/** The first day past due of each bucket. */
export const bucketBegins: Readonly<Record<Bucket, number>> = {
  current: 0,
  late1: 1,
  late31: 31,
  late61: 61,
  late91: 91,
}

/** A loan is in default with more days past due than these. */
export const DEFAULT_DAYS = 90

/** The due day of the oldest instalment before that day that owes more than `tolerance` cents. */
const lateSince = (owed: readonly Owed[], on: string, tolerance: bigint) => {
  const oldest = owed.find(
    ({ dueOn, principal, interest }) => dueOn < on && principal + interest > tolerance,
  )
  return oldest && loanDay(oldest.dueOn)
}

/**
 * Days from the due day of the oldest instalment that owes more than `tolerance` cents to that day.
 * Zero where none was due before it.
 */
export const daysPastDue = (owed: readonly Owed[], on: string, tolerance: bigint): number => {
  const [from, to] = [lateSince(owed, on, tolerance), loanDay(on)]
  return from && to ? Number(daysBetween(from, to, 'act365')) : 0
}

/**
 * The day on which a loan came to more than {@link DEFAULT_DAYS} past due, in ISO text, however
 * late it is counted. Null while it did not by that day.
 */
export const defaultDay = (owed: readonly Owed[], on: string, tolerance: bigint): string | null => {
  const from = lateSince(owed, on, tolerance)
  const day = from && dayNumbered(from.number + DEFAULT_DAYS + 1).on
  return day && day <= on ? day : null
}
