/** Terms of a loan as people type them in a dialog. */
import { amountSchema } from '@pool/contract/base/fields'
import * as validation from '@pool/contract/base/validation'
import { dayCounts, loanDay, loanPeriods } from '@pool/contract/lending/loanDays'
import {
  HIGHEST_RATE,
  MOST_INSTALMENTS,
  type TypedTerms,
  termsFrom,
} from '@pool/contract/lending/loanTerms'
import { scheduleKinds } from '@pool/contract/lending/schedules'
import { amountRule } from '../../forms/amountRules.ts'
import { readDollars } from '../../i18n/dollars.ts'
import { t } from '../../i18n/loans.ts'
import { readRate } from './rates.ts'

export type TermsValues = {
  readonly rate: string
  readonly schedule: string
  readonly period: string
  readonly dayCount: string
  readonly instalments: string
  readonly firstDueOn: string
  readonly dueDay: string
}

/** All terms, with the amount and the day from which they count. */
export type WholeTerms = TermsValues & { readonly amount: string; readonly disburseOn: string }

export const validAmount = amountRule(amountSchema)
export const filled = (text: string): string | null => (text.trim() === '' ? t('missing') : null)
export const isDay = (text: string): string | null => (loanDay(text) ? null : t('day.missing'))

const isWhole = (value: number, most: number): boolean =>
  Number.isInteger(value) && value >= 1 && value <= most
const isRate = (typed: string): string | null =>
  readRate(typed) <= HIGHEST_RATE ? null : validation.loanRate
const isCount = (typed: string): string | null =>
  isWhole(Number(typed), MOST_INSTALMENTS) ? null : validation.loanInstalments
const isDueDay = (typed: string): string | null =>
  isWhole(Number(typed), 31) ? null : validation.loanDueDay

/** A typed word of a closed list, else its first one. */
export const known = <const Word extends string>(words: readonly Word[], typed: string): Word =>
  words.find((word) => word === typed) ?? (words[0] as Word)

/** The terms as the call takes them, or null while a field is empty or wrong. */
export const typedTerms = (values: WholeTerms): TypedTerms | null => {
  const { amount, rate, instalments, dueDay, disburseOn, firstDueOn } = values
  const faults = [validAmount(amount), isRate(rate), isCount(instalments), isDueDay(dueDay)]
  const isWrong = [...faults, isDay(disburseOn), isDay(firstDueOn)].some((fault) => fault !== null)
  if (isWrong) return null
  return {
    amount: readDollars(amount) ?? 0,
    rateBasisPoints: readRate(rate),
    schedule: known(scheduleKinds, values.schedule),
    period: known(loanPeriods, values.period),
    dayCount: known(dayCounts, values.dayCount),
    instalments: Number(instalments),
    dueDay: Number(dueDay),
    disburseOn,
    firstDueOn,
  }
}

/** Refuses typed terms that do not fit together, at the field of the first day. */
const fitting = (values: WholeTerms): string | null => {
  const typed = typedTerms(values)
  const terms = typed && termsFrom(typed)
  return typeof terms === 'string' ? t(`problem.${terms}`) : null
}

/** The rules of the fields. `wholeOf` adds the amount and the day that a form does not ask for. */
export const termsRules = <Values extends TermsValues>(wholeOf: (values: Values) => WholeTerms) =>
  ({
    rate: isRate,
    instalments: isCount,
    dueDay: isDueDay,
    firstDueOn: (day: string, values: Values) => isDay(day) ?? fitting(wholeOf(values)),
  }) as const

/** The day of the month of a day in ISO text, without a zero before it. */
const dateOf = (day: string): string => (loanDay(day) ? String(Number(day.slice(8))) : '')

/** The due day after the first one was typed: it follows, until another is typed. */
export const dueDayAfter = (
  { dueDay, firstDueOn }: Pick<TermsValues, 'dueDay' | 'firstDueOn'>,
  first: string,
): string => (dueDay === '' || dueDay === dateOf(firstDueOn) ? dateOf(first) : dueDay)
