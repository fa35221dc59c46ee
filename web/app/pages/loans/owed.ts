import { type Cents, cents, centsFromDollars } from '@pool/contract/money'
import type { Owed } from '@pool/contract/repayments'
import type { LoanLine } from '../../api/loans.ts'

/** The unpaid parts of a line, in cents. */
export const owedOf = ({ number, dueOn, principal, interest, paid, interestPaid }: LoanLine) => {
  const ofInterest = centsFromDollars(interestPaid)
  const ofPrincipal = centsFromDollars(paid) - ofInterest
  return {
    ...{ number, dueOn },
    interest: cents(centsFromDollars(interest) - ofInterest),
    principal: cents(centsFromDollars(principal) - ofPrincipal),
  } satisfies Owed
}

/** Cents that are due by a day and not paid. */
export const dueBy = (owed: readonly Owed[], day: string): Cents =>
  cents(
    owed
      .filter(({ dueOn }) => dueOn <= day)
      .reduce((sum, { principal, interest }) => sum + principal + interest, 0n),
  )
