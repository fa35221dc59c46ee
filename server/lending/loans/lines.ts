/** The schedules of one loan as they are stored, and the payment that ends it. */
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import type { LoanStory } from '@pool/contract/lending/loans'
import { type Accruing, owedOfLine, payoffOf } from '@pool/contract/lending/repayments'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

type Line = {
  readonly number: number
  readonly dueOn: string
  readonly principal: bigint
  readonly interest: bigint
  readonly principalPaid: bigint
  readonly interestPaid: bigint
  readonly isReplaced: boolean
}

/** All lines of a disbursed loan, in their order. */
export const readLines = async (db: Kysely<Schema>, id: string): Promise<readonly Line[]> => {
  const { rows } = await sql<Line>`
    SELECT number, due_on::text AS "dueOn", principal, interest, principal_paid AS "principalPaid",
      interest_paid AS "interestPaid", replaced AS "isReplaced"
    FROM loan_instalments WHERE loan_id = ${id} ORDER BY number`.execute(db)
  return rows
}

const dollars = (amount: bigint) => dollarsFromCents(cents(amount))

/** Lines of one schedule with what is owed after each. */
export const shownLines = (lines: readonly Line[]): LoanStory['lines'] => {
  let balance = lines.reduce((sum, { principal }) => sum + principal, 0n)
  return lines.map(({ number, dueOn, principal, interest, principalPaid, interestPaid }) => {
    balance -= principal
    return {
      number,
      dueOn,
      principal: dollars(principal),
      interest: dollars(interest),
      balance: dollars(balance),
      paid: dollars(principalPaid + interestPaid),
      interestPaid: dollars(interestPaid),
    }
  })
}

/** The payment that ends a loan today, in dollars. */
export const payoffToday = (lines: readonly Line[], accruing: Accruing): number => {
  const owed = lines
    .filter(({ isReplaced }) => !isReplaced)
    .map((line) => owedOfLine(line, accruing.stopped))
  const today = new Date().toISOString().slice(0, 10)
  const whole = payoffOf(owed, today, accruing)
  return dollars(whole.principal + whole.interest)
}
