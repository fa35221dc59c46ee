/**
 * Loans that are not repaid as agreed: default, write-off and new terms (docs/decisions/060).
 */
import { type Cents, cents } from '@pool/contract/base/money'
import { daysPastDue, defaultDay } from '@pool/contract/lending/arrears'
import { dayAs } from '@pool/contract/lending/loanDays'
import type { DefaultReason } from '@pool/contract/lending/loans'
import { payoffOf, startAs, stopOn } from '@pool/contract/lending/repayments'
import {
  isLastLarge,
  type ScheduleLine,
  scheduleOf,
  type Terms,
} from '@pool/contract/lending/schedules'
import { type AgreedLoans, agreed, isAgreed } from './agreedLoans.ts'
import { capitalIn, type LoanState, type LoanStates, loans, owedOf } from './loanRows.ts'
import { dayOf, isOwing } from './loans.ts'
import { type FreeReserve, freeReserve, pausedByLoss, splitLoss, writtenOff } from './losses.ts'
import type { Movement, SignedEntry, Statement } from './movement.ts'

const DEFAULTS: Statement = {
  name: 'loan_defaults',
  text: `
INSERT INTO loan_defaults (id, loan_id, defaulted_on, reason, days_past_due, principal, interest, stopped_number, stopped_interest)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::date[], $4::text[], $5::int[], $6::bigint[], $7::bigint[], $8::smallint[], $9::bigint[])`,
}

const WRITE_OFFS: Statement = {
  name: 'loan_write_offs',
  text: `
INSERT INTO loan_write_offs (id, loan_id, principal, capital, covered, lost)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])`,
}

const RESTRUCTURINGS: Statement = {
  name: 'loan_restructurings',
  text: `
INSERT INTO loan_restructurings (id, loan_id, starts_on, starts_as, first_number, principal, interest, distressed,
  rate_basis_points, schedule, period, day_count, instalments, due_day, first_due_on)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::date[], $4::smallint[], $5::smallint[], $6::bigint[], $7::bigint[], $8::boolean[],
  $9::int[], $10::text[], $11::text[], $12::text[], $13::smallint[], $14::smallint[], $15::date[])`,
}

/** A default. With `unlikelyToPay` its id is that of the proposal of two people. */
export type LoanDefaulted = {
  readonly movement: 'loan_defaulted'
  readonly id: string
  readonly loanId: string
  readonly reason: DefaultReason
  /** An instalment that owes at most these cents is not past due. */
  readonly tolerance: Cents
  readonly entry: SignedEntry
}

/** The product writes off what two super admins gave up. Its id is that of their proposal. */
export type LoanWrittenOff = {
  readonly movement: 'loan_written_off'
  readonly id: string
  readonly loanId: string
  /** The outstanding principal. The rule refuses any other amount. */
  readonly principal: Cents
  /** The part of the whole loan that investors' principal funds. */
  readonly fromInvestors: Cents
  /** Found by the rule: what the operator lent, what the free reserve bears, and the rest. */
  readonly capital?: Cents
  readonly covered?: Cents
  readonly lost?: Cents
  /** The entries of pauses, for a loss. */
  readonly pausing: readonly SignedEntry[]
  readonly entry: SignedEntry
}

/** New terms that two people agreed on. Its id is that of their proposal. */
export type LoanRestructured = {
  readonly movement: 'loan_restructured'
  readonly id: string
  readonly loanId: string
  readonly isDistressed: boolean
  /** The principal and the first day are those of the moment. */
  readonly terms: Omit<Terms, 'principal' | 'disbursedOn'>
  readonly entry: SignedEntry
}

export type LateLoanOperation = LoanDefaulted | LoanWrittenOff | LoanRestructured

/** The lines of new terms. The first one owes the interest that was not paid before. */
const linesOf = (
  loan: LoanState,
  lines: readonly ScheduleLine[],
  carried: Cents,
): LoanState['instalments'] => {
  const last = loan.instalments.at(-1)?.number ?? 0
  return lines.map(({ dueOn, principal, interest }, index) => ({
    number: last + 1 + index,
    dueOn,
    principal,
    principalPaid: 0n,
    interestPaid: 0n,
    interest: index === 0 ? interest + carried : interest,
    isNew: true,
  }))
}

export const lateLoanMovements = {
  /**
   * A loan is in default, since the day that made it so. No money moves, and interest from after
   * that day is not owed.
   */
  loan_defaulted: {
    legs: [],
    reads: { loans, agreed },
    rule: (defaulted, { loans, agreed }, at) => {
      const { id, loanId, reason, tolerance, entry } = defaulted
      const loan = loans.get(loanId)
      if (!loan) return { refused: 'loanNotFound' }
      if (loan.status !== 'ACTIVE') return { refused: 'loanIs', status: loan.status }
      const today = dayOf(at)
      const owed = owedOf(loan)
      const decided = isAgreed(defaulted, 'DEFAULT_LOAN', agreed) ? today : null
      const on = reason === 'daysPastDue' ? defaultDay(owed, today, tolerance) : decided
      if (on === null) return { refused: 'proposalClosed' }
      const stopped = stopOn(owed, on, loan.accruing)
      const { interest } = payoffOf(owed, on, loan.accruing)
      const days = daysPastDue(owed, on, tolerance)
      return {
        rows: [
          {
            into: DEFAULTS,
            values: [
              id,
              loanId,
              on,
              reason,
              days,
              loan.outstanding,
              interest,
              stopped.earned?.number,
              stopped.earned?.interest,
            ],
          },
        ],
        entry,
        note: () => {
          const now = { status: 'DEFAULTED', defaultedOn: on, isChanged: true } as const
          loans.set(loanId, { ...loan, ...now, accruing: { ...loan.accruing, stopped } })
        },
      }
    },
  } satisfies Movement<LoanDefaulted, { loans: LoanStates; agreed: AgreedLoans }>,

  /**
   * The debt of a loan in default is given up. The operator's capital bears its part, the free
   * reserve that of investors' principal, and what it does not reach is an open loss.
   */
  loan_written_off: {
    legs: [
      { from: 'deployed', to: 'loans', moves: 'capital' },
      { from: 'reserve', to: 'loans', moves: 'covered' },
    ],
    alsoPosts: 'loan_lost',
    expected: writtenOff,
    isAlone: ({ fromInvestors }) => fromInvestors > 0n,
    reads: { loans, agreed, freeReserve },
    rule: (written, { loans, agreed, freeReserve }) => {
      const { id, loanId, principal, fromInvestors, pausing, entry } = written
      const loan = loans.get(loanId)
      if (!loan) return { refused: 'loanNotFound' }
      if (!isAgreed(written, 'WRITE_OFF_LOAN', agreed)) return { refused: 'proposalClosed' }
      if (loan.status !== 'DEFAULTED') return { refused: 'loanIs', status: loan.status }
      if (loan.outstanding !== principal)
        return { refused: 'amountDiffers', amount: String(loan.outstanding) }
      if (loan.fromInvestors !== fromInvestors) return { refused: 'loanNotFound' }
      const capital = capitalIn(loan, principal)
      const { covered, lost } = splitLoss(cents(principal - capital), freeReserve)
      return {
        rows: [
          { into: WRITE_OFFS, values: [id, loanId, principal, capital, covered, lost] },
          ...(lost > 0n ? pausedByLoss : []),
        ],
        amounts: { capital, covered, lost },
        entry,
        ...(lost > 0n && { more: pausing }),
        note: () => {
          const now = { status: 'WRITTEN_OFF', outstanding: 0n, isChanged: true } as const
          loans.set(loanId, { ...loan, ...now, writtenOff: principal })
        },
      }
    },
  } satisfies Movement<
    LoanWrittenOff,
    { loans: LoanStates; agreed: AgreedLoans; freeReserve: FreeReserve }
  >,

  /** New terms end the old schedule. Principal and interest up to today are owed by the new one. */
  loan_restructured: {
    legs: [],
    reads: { loans, agreed },
    rule: (changed, { loans, agreed }, at) => {
      // Long: the row of new terms has fifteen values, a line each.
      const { id, loanId, isDistressed, terms, entry } = changed
      const loan = loans.get(loanId)
      if (!loan) return { refused: 'loanNotFound' }
      if (!isAgreed(changed, 'RESTRUCTURE_LOAN', agreed)) return { refused: 'proposalClosed' }
      if (loan.status !== 'ACTIVE' || !isOwing(loan))
        return { refused: 'loanIs', status: loan.status }
      const today = dayOf(at)
      const owed = owedOf(loan)
      const startsAs = startAs(owed, today, loan.accruing)
      const startsOn = dayAs(today, startsAs)
      if (!startsOn || today >= terms.firstDueOn.on)
        return { refused: 'badTerms', problem: 'firstBefore' }
      const { interest } = payoffOf(owed, today, loan.accruing)
      const principal = cents(loan.outstanding)
      if (principal < BigInt(terms.instalments)) return { refused: 'badTerms', problem: 'tooMany' }
      const planned = scheduleOf({ ...terms, principal, disbursedOn: startsOn })
      if (isLastLarge(terms.kind, planned)) return { refused: 'badTerms', problem: 'lastLarge' }
      const lines = linesOf(loan, planned, interest)
      const { kind, period, dayCount, rateBasisPoints, instalments, dueDay, firstDueOn } = terms
      return {
        rows: [
          {
            into: RESTRUCTURINGS,
            values: [
              id,
              loanId,
              today,
              startsAs,
              lines[0]?.number,
              principal,
              interest,
              isDistressed,
              rateBasisPoints,
              kind,
              period,
              dayCount,
              instalments,
              dueDay,
              firstDueOn.on,
            ],
          },
        ],
        entry,
        note: () => {
          agreed.delete(id)
          const old = loan.instalments.map((each) => ({ ...each, isReplaced: true as const }))
          const carried = { number: lines[0]?.number ?? 0, interest }
          const accruing = {
            from: today,
            fromAs: startsAs,
            rateBasisPoints,
            dayCount,
            period,
            dueDay,
            carried,
          }
          const instalments = [...old, ...lines]
          loans.set(loanId, { ...loan, accruing, instalments, isChanged: true })
        },
      }
    },
  } satisfies Movement<LoanRestructured, { loans: LoanStates; agreed: AgreedLoans }>,
}
