/** The debt of a loan as the server counts it, in cents. */
import { type Cents, cents, centsFromDollars } from '@pool/contract/base/money'
import { dayCounts, loanPeriods } from '@pool/contract/lending/loanDays'
import {
  type Accruing,
  mostPayable,
  type Owed,
  owedOfLine,
  payoffOf,
  type Split,
  type Stopped,
  startAs,
} from '@pool/contract/lending/repayments'
import type { LoanLine, ShownLoan } from '../../../api/lending/loans.ts'

/** The unpaid parts of a line. Interest from after a default is not owed. */
export const owedOf = (
  { number, dueOn, principal, interest, paid, interestPaid }: LoanLine,
  stopped?: Stopped,
): Owed => {
  const ofInterest = centsFromDollars(interestPaid)
  return owedOfLine(
    {
      number,
      dueOn,
      interestPaid: ofInterest,
      interest: centsFromDollars(interest),
      principal: centsFromDollars(principal),
      principalPaid: centsFromDollars(paid) - ofInterest,
    },
    stopped,
  )
}

/** Cents that are due by a day and not paid. */
export const dueBy = (owed: readonly Owed[], day: string): Cents =>
  cents(
    owed
      .filter(({ dueOn }) => dueOn <= day)
      .reduce((sum, { principal, interest }) => sum + principal + interest, 0n),
  )

type Story = Pick<ShownLoan, 'loan' | 'lines' | 'restructurings' | 'repayments' | 'default'>

const stoppedBy = ({ on, stopped }: NonNullable<Story['default']>): Stopped => ({
  on: on ?? '',
  earned: stopped
    ? { number: stopped.number, interest: centsFromDollars(stopped.interest) }
    : undefined,
})

const accruingOf = ({ loan, restructurings, default: ended }: Story): Accruing => {
  const last = restructurings.at(-1)
  const { dayCount, period, dueDay, rateBasisPoints } = last ?? loan
  return {
    from: last?.startsOn ?? loan.disburseOn ?? '',
    fromAs: last?.startsAs ?? null,
    rateBasisPoints: rateBasisPoints ?? 0,
    dayCount: dayCounts.find((each) => each === dayCount) ?? 'act365',
    period: loanPeriods.find((each) => each === period) ?? 'monthly',
    dueDay: dueDay ?? 1,
    ...(last && {
      carried: { number: last.firstNumber, interest: centsFromDollars(last.interest) },
    }),
    ...(ended && { stopped: stoppedBy(ended) }),
  }
}

/** The newest value date of the repayments that count. Empty without one. */
export const lastPaidOn = ({ repayments }: Pick<Story, 'repayments'>): string =>
  repayments
    .filter(({ reversedFor, recovered }) => reversedFor === null && recovered === 0)
    .reduce((last, { valueOn }) => (valueOn !== null && valueOn > last ? valueOn : last), '')

/** The debt of a loan, line by line. */
export const owedBy = (story: Story): readonly Owed[] => {
  const { loan, lines } = story
  const { stopped } = accruingOf(story)
  const owed = lines.map((line) => owedOf(line, stopped))
  if (loan.status !== 'REPAID') return owed
  // A payment in full spared it later interest.
  const last = lastPaidOn(story)
  return owed.filter(({ dueOn }) => dueOn <= last)
}

/**
 * Numbers of the open instalments before one that is paid at least in part. The reversal of an
 * earlier repayment leaves such: later repayments stay where they were counted.
 */
export const openBeforePaid = (story: Story): readonly number[] => {
  const last = story.lines.findLast(({ paid }) => paid > 0)?.number ?? 0
  return owedBy(story)
    .filter(({ number, principal, interest }) => number < last && principal + interest > 0n)
    .map(({ number }) => number)
}

/** A day after all others. */
const LAST_DAY = '9999-12-31'

/** The most that a repayment of a day may be. After a default all principal is due. */
export const mostOf = (story: Story, valueOn: string, today: string): Cents =>
  story.loan.status === 'DEFAULTED'
    ? mostPayable(owedBy(story), LAST_DAY, LAST_DAY)
    : mostPayable(owedBy(story), valueOn, today)

/** The payment that ends the loan on a day. */
export const payoffOn = (story: Story, day: string): Split =>
  payoffOf(owedBy(story), day, accruingOf(story))

/** The day of the month that new terms of a day stand for. Null where it stands for itself. */
export const startAsOn = (story: Story, day: string): number | null =>
  startAs(owedBy(story), day, accruingOf(story))
