/** The terms of a loan as people type them, and what can be wrong with them. */
import { z } from 'zod'
import { amountSchema } from '../base/fields.ts'
import { centsFromDollars } from '../base/money.ts'
import * as validation from '../base/validation.ts'
import { canBegin, dayCounts, type LoanDay, loanDay, loanPeriods } from './loanDays.ts'
import { isLastLarge, scheduleKinds, scheduleOf, type Terms } from './schedules.ts'

/** The most instalments of a loan: fifty years of months. */
export const MOST_INSTALMENTS = 600
/** The highest yearly rate, in basis points. */
export const HIGHEST_RATE = 10_000
/** The most days from the disbursement to the first instalment. */
export const LONGEST_FIRST = 366

export const dateSchema = z
  .string({ error: () => validation.fillAllFields })
  .refine((text) => loanDay(text) !== null, validation.momentInvalid)

const whole = (least: number, most: number, sentence: string) =>
  z
    .number({ error: () => sentence })
    .int(sentence)
    .min(least, sentence)
    .max(most, sentence)

const filled = { error: () => validation.fillAllFields }

/** The terms on the wire. Days are ISO text. */
export const termsShape = {
  amount: amountSchema,
  rateBasisPoints: whole(0, HIGHEST_RATE, validation.loanRate),
  schedule: z.enum(scheduleKinds, filled),
  period: z.enum(loanPeriods, filled),
  dayCount: z.enum(dayCounts, filled),
  instalments: whole(1, MOST_INSTALMENTS, validation.loanInstalments),
  /** Day of the month that instalments are due on. Short months have their last day. */
  dueDay: whole(1, 31, validation.loanDueDay),
  /** The planned day. The schedule begins on the real one. */
  disburseOn: dateSchema,
  firstDueOn: dateSchema,
}
const termsSchema = z.object(termsShape)
export type TypedTerms = z.infer<typeof termsSchema>

export const termsProblems = [
  'dateFar',
  'firstBefore',
  'firstLate',
  'dueDayApart',
  'tooMany',
  'lastLarge',
  'takenOverApart',
] as const
export type TermsProblem = (typeof termsProblems)[number]

/** Years within which loans are disbursed and begin to be repaid. */
const [FIRST_YEAR, LAST_YEAR] = ['2000', '2100']

const isFar = ({ on }: LoanDay): boolean => on < FIRST_YEAR || on >= LAST_YEAR

/** The terms, or what is wrong with them. The call checked each field. */
export const termsFrom = (typed: TypedTerms): Terms | TermsProblem => {
  const [disbursedOn, firstDueOn] = [loanDay(typed.disburseOn), loanDay(typed.firstDueOn)]
  if (!disbursedOn || !firstDueOn || isFar(disbursedOn) || isFar(firstDueOn)) return 'dateFar'
  const days = firstDueOn.number - disbursedOn.number
  if (days <= 0) return 'firstBefore'
  if (days > LONGEST_FIRST) return 'firstLate'
  const { period, dueDay, dayCount, instalments, rateBasisPoints, schedule, amount } = typed
  if (!canBegin({ period, firstDueOn, dueDay })) return 'dueDayApart'
  const principal = centsFromDollars(amount)
  if (principal < BigInt(instalments)) return 'tooMany'
  const terms: Terms = {
    kind: schedule,
    principal,
    rateBasisPoints,
    period,
    dayCount,
    instalments,
    disbursedOn,
    firstDueOn,
    dueDay,
  }
  return isLastLarge(schedule, scheduleOf(terms)) ? 'lastLarge' : terms
}
