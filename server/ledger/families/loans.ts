/**
 * Repayments: what was disbursed comes back into the free reserve, and interest of borrowers feeds
 * it (docs/decisions/057).
 */
import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import {
  mostPayable,
  type Owed,
  type Part,
  payoffOf,
  type Split,
  splitOf,
} from '@pool/contract/lending/repayments'
import {
  type Agreements,
  agreements,
  isAgreedRepayment,
  isAgreedReversal,
} from './agreedRepayments.ts'
import { capitalIn, type LoanState, type LoanStates, loans, owedOf, withParts } from './loanRows.ts'
import { countAlone, isOldDay, type Lone, limitExceeded, lone } from './lone.ts'
import type {
  Causes,
  CompanionRule,
  Movement,
  OperationRequest,
  Refused,
  SignedEntry,
  Statement,
  StateReading,
} from './movement.ts'
import { isBooked, noteUse, type Uses, uses } from './uses.ts'

export const REPAYMENTS: Statement = {
  name: 'loan_repayments',
  text: `
INSERT INTO loan_repayments (id, loan_id, principal, capital, interest, recovered, kept, value_on, reference, recorded_by, agreed_id)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::date[], $9::text[], $10::uuid[], $11::uuid[])`,
}

const PARTS: Statement = {
  name: 'loan_repayment_parts',
  text: `
INSERT INTO loan_repayment_parts (repayment_id, number, principal, interest)
SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::bigint[], $4::bigint[])`,
}

export const REVERSALS: Statement = {
  name: 'loan_reversals',
  text: `
INSERT INTO loan_reversals (id, repayment_id, principal, capital, interest, recovered, reason, reversed_by, agreed_id)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::uuid[], $9::uuid[])`,
}

export const REVERSED: Statement = {
  name: 'reversed_repayments',
  text: '\nUPDATE loan_repayments SET reversed = true WHERE id = ANY ($1::uuid[])',
}

/** Amounts that a rule finds in locked rows. */
type LoanAmounts = {
  readonly principal?: Cents
  readonly capital?: Cents
  readonly interest?: Cents
}

export type LoanRepaid = OperationRequest &
  LoanAmounts & {
    readonly movement: 'loan_repaid'
    readonly id: string
    readonly loanId: string
    readonly amount: Cents
    /** ISO text. */
    readonly valueOn: string
    readonly reference: string
    /** True for the payment that ends the loan. */
    readonly inFull?: boolean | undefined
    /** The proposal that two people agreed on. One person alone has limits. */
    readonly agreedId?: string | undefined
    readonly entry: SignedEntry
  }

export type LoanRepaymentReversed = OperationRequest &
  LoanAmounts & {
    readonly movement: 'loan_repayment_reversed'
    readonly id: string
    readonly loanId: string
    readonly repaymentId: string
    readonly reason: string
    readonly agreedId?: string | undefined
    readonly entry: SignedEntry
  }

export type LoanOperation = LoanRepaid | LoanRepaymentReversed

/** In the index's own lower case. */
const REFERENCES = `
SELECT given FROM unnest($1::text[]) AS given
WHERE EXISTS (SELECT FROM loan_repayments WHERE lower(reference) = lower(given) AND NOT reversed)`

/** References that count already. The group adds its own in lower case. */
export const references: StateReading<{ readonly reference: string }, Set<string>> = {
  read: async (query, operations) => {
    const rows = await query<{ given: string }>('read_references', REFERENCES, [
      operations.map(({ reference }) => reference),
    ])
    return new Set(rows.map(({ given }) => given.toLowerCase()))
  },
}

/** The account that recorded a repayment alone in the last 24 hours, whose limits count it. */
const COUNTED_FOR = `CASE WHEN r.agreed_id IS NULL AND r.recovered = 0 AND r.created_at > now() - interval '24 hours'
  THEN r.recorded_by END AS "countedFor", r.value_on::text AS "valueOn"`

const PAID = `
SELECT r.id, r.loan_id AS "loanId", r.reversed, ${COUNTED_FOR}, p.number, p.principal, p.interest
FROM loan_repayments AS r JOIN loan_repayment_parts AS p ON p.repayment_id = r.id
WHERE r.id = ANY ($1::uuid[]) ORDER BY r.id, p.number`

/** A repayment to reverse, as a rule for one person alone sees it. */
export type Reversible = { readonly countedFor: string | null; readonly valueOn: string }

type Paid = Reversible & {
  readonly loanId: string
  readonly reversed: boolean
  readonly parts: readonly Part[]
}

/** Repayments to reverse. Read once their loans are locked. */
const repayments: StateReading<LoanRepaymentReversed, Map<string, Paid>> = {
  read: async (query, operations) => {
    const rows = await query<Part & Omit<Paid, 'parts'> & { id: string }>('read_repaid', PAID, [
      operations.map(({ repaymentId }) => repaymentId),
    ])
    return new Map(
      [...Map.groupBy(rows, ({ id }) => id)].map(([id, parts]) => [
        id,
        { loanId: '', reversed: false, countedFor: null, valueOn: '', ...parts[0], parts },
      ]),
    )
  },
}

export const rowsInsertedInto = (noun: string, table: string): Causes => ({
  noun,
  table,
  owned: false,
  status: 'MADE',
})
export const repaid = { rows: rowsInsertedInto('repayment', 'loan_repayments'), statuses: ['MADE'] }
export const reversed = { rows: rowsInsertedInto('reversal', 'loan_reversals'), statuses: ['MADE'] }

/** Borrowers' interest moves beside the principal, under the same cause. */
export const companionsOfLoans: Readonly<
  Record<'loan_interest_received' | 'loan_interest_reversed', CompanionRule>
> = {
  loan_interest_received: {
    legs: [{ from: 'custody', to: 'reserve', moves: 'interest' }],
    expected: repaid,
  },
  loan_interest_reversed: {
    legs: [{ from: 'reserve', to: 'custody', moves: 'interest' }],
    expected: reversed,
  },
}

/** The loan of a repayment or a reversal, unless it is the caller's own. */
export const loanFor = (
  { loanId, by }: Pick<LoanRepaid, 'loanId' | 'by'>,
  states: LoanStates,
): LoanState | Refused => {
  const loan = states.get(loanId)
  if (!loan) return { refused: 'loanNotFound' }
  return loan.ownerIds.includes(by.id) ? { refused: 'ownLoan' } : loan
}

const sumOf = (parts: readonly Part[], of: 'principal' | 'interest'): Cents =>
  cents(parts.reduce((sum, part) => sum + part[of], 0n))

/** True for a loan that borrowers repay. */
export const isOwing = ({ status }: LoanState): boolean =>
  status === 'ACTIVE' || status === 'DEFAULTED'

/** The day of a moment, UTC. */
export const dayOf = (at: string): string => new Date(at).toISOString().slice(0, 10)

/**
 * The unpaid parts of a loan. A repaid one owes interest again once a repayment of interest alone
 * was reversed, and nothing that a payment in full spared it.
 */
const owingOf = (loan: LoanState): readonly Owed[] => {
  if (isOwing(loan)) return owedOf(loan)
  if (loan.status !== 'REPAID') return []
  return owedOf(loan).filter(({ dueOn }) => dueOn <= (loan.lastPaidOn ?? ''))
}
const isPaid = ({ principal, interest }: Owed): boolean => principal + interest === 0n

/** The split of a repayment over what a loan owes, or why it is refused. */
const splitFor = (
  loan: LoanState,
  owed: readonly Owed[],
  { amount, valueOn, inFull, today }: LoanRepaid & { readonly today: string },
): Split | Refused => {
  // After a default all principal is due.
  const isDue = loan.status === 'DEFAULTED'
  if (inFull) {
    if (valueOn < (loan.lastPaidOn ?? '')) return { refused: 'payoffWhen' }
    const whole = payoffOf(owed, valueOn, loan.accruing)
    const needed = cents(whole.principal + whole.interest)
    return amount === needed ? whole : { refused: 'payoffIs', amount: dollarsFromCents(needed) }
  }
  const most = isDue ? mostPayable(owed, LAST_DAY, LAST_DAY) : mostPayable(owed, valueOn, today)
  return amount > most
    ? { refused: 'repaidTooMuch', most: dollarsFromCents(most) }
    : splitOf(owed, amount)
}

type LoneAct = {
  readonly by: string
  readonly about: string
  readonly amount: Cents
  readonly valueOn: string
}

/** The refusal of an act that takes two people: above a limit, or of an old value date. */
export const refusedAlone = (state: Lone, act: LoneAct, at: string): Refused | undefined => {
  if (isOldDay(act.valueOn, dayOf(at))) return { refused: 'takesTwo', why: 'oldDay' }
  const why = limitExceeded(state, act)
  return why && { refused: 'takesTwo', why }
}

/** The sum that one person's reversal counts as. Nothing for an own repayment of the day. */
const countedAt = ({ countedFor }: Reversible, by: string, amount: Cents): Cents =>
  countedFor === by ? cents(0n) : amount

/** A day after all others. */
const LAST_DAY = '9999-12-31'

export const loanMovements = {
  /** A borrower repaid. The rule splits the amount over the instalments as they are now. */
  loan_repaid: {
    legs: [
      { from: 'custody', to: 'loans', moves: 'principal' },
      { from: 'deployed', to: 'reserve', moves: 'capital' },
    ],
    alsoPosts: 'loan_interest_received',
    expected: repaid,
    reads: { loans, references, agreements, lone, uses },
    rule: (received, { loans, references, agreements, lone, uses }, at) => {
      const { id, loanId, by, amount, valueOn, reference, agreedId, entry } = received
      const loan = loanFor(received, loans)
      if ('refused' in loan) return loan
      const owed = owingOf(loan)
      if (owed.every(isPaid)) return { refused: 'loanIs', status: loan.status }
      // A statement that waited for a disbursement has the loan without its day.
      if (loan.disbursedOn === null || valueOn < loan.disbursedOn || valueOn > dayOf(at))
        return { refused: 'repaidWhen' }
      if (references.has(reference.toLowerCase())) return { refused: 'referenceUsed' }
      if (isBooked(received, uses)) return { refused: 'transactionBooked' }
      const split = splitFor(loan, owed, { ...received, today: dayOf(at) })
      if ('refused' in split) return split
      const act = { by: by.id, about: loan.borrowerId, amount, valueOn }
      const takesTwo = agreedId === undefined ? refusedAlone(lone, act, at) : undefined
      if (takesTwo) return takesTwo
      if (agreedId !== undefined && !isAgreedRepayment(received, agreements))
        return { refused: 'proposalClosed' }
      const { principal, interest, parts } = split
      const left = loan.outstanding - principal
      const capital = cents(capitalIn(loan, loan.outstanding) - capitalIn(loan, left))
      return {
        rows: [
          {
            into: REPAYMENTS,
            values: [
              id,
              loanId,
              principal,
              capital,
              interest,
              0n,
              0n,
              valueOn,
              reference,
              by.id,
              agreedId,
            ],
          },
          ...parts.map((part) => ({
            into: PARTS,
            values: [id, part.number, part.principal, part.interest],
          })),
        ],
        amounts: { principal, capital, interest },
        entry,
        note: () => {
          references.add(reference.toLowerCase())
          noteUse(received, null, uses)
          if (agreedId === undefined) countAlone(lone, act)
          const isLater = valueOn > (loan.lastPaidOn ?? '')
          loans.set(loanId, {
            ...withParts(loan, parts),
            ...(isLater && { lastPaidOn: valueOn }),
          })
        },
      }
    },
  } satisfies Movement<
    LoanRepaid,
    {
      loans: LoanStates
      references: Set<string>
      agreements: Agreements
      lone: Lone
      uses: Uses
    }
  >,

  /** A repayment that was recorded wrongly was taken back. */
  loan_repayment_reversed: {
    legs: [
      { from: 'loans', to: 'custody', moves: 'principal' },
      { from: 'reserve', to: 'deployed', moves: 'capital' },
    ],
    alsoPosts: 'loan_interest_reversed',
    expected: reversed,
    reads: { loans, repayments, agreements, lone },
    rule: (taken, { loans, repayments, agreements, lone }, at) => {
      const { id, loanId, repaymentId, by, reason, agreedId, entry } = taken
      const loan = loanFor(taken, loans)
      if ('refused' in loan) return loan
      const repayment = repayments.get(repaymentId)
      if (repayment?.loanId !== loanId) return { refused: 'repaymentNotFound' }
      if (repayment.reversed) return { refused: 'repaymentReversed' }
      if (loan.status === 'WRITTEN_OFF') return { refused: 'loanIs', status: loan.status }
      const { parts } = repayment
      const [first] = loan.instalments
      if (parts.some(({ number }) => number < (first?.number ?? 0)))
        return { refused: 'repaymentBefore' }
      const [principal, interest] = [sumOf(parts, 'principal'), sumOf(parts, 'interest')]
      const amount = countedAt(repayment, by.id, cents(principal + interest))
      const act = { by: by.id, about: loan.borrowerId, amount, valueOn: repayment.valueOn }
      const takesTwo = agreedId === undefined ? refusedAlone(lone, act, at) : undefined
      if (takesTwo) return takesTwo
      if (agreedId !== undefined && !isAgreedReversal({ agreedId, repaymentId }, agreements))
        return { refused: 'proposalClosed' }
      const owed = loan.outstanding + principal
      const capital = cents(capitalIn(loan, owed) - capitalIn(loan, loan.outstanding))
      return {
        rows: [
          {
            into: REVERSALS,
            values: [id, repaymentId, principal, capital, interest, 0n, reason, by.id, agreedId],
          },
          { into: REVERSED, values: [repaymentId] },
        ],
        amounts: { principal, capital, interest },
        entry,
        note: () => {
          repayments.set(repaymentId, { ...repayment, reversed: true })
          if (agreedId === undefined) countAlone(lone, act)
          loans.set(loanId, withParts(loan, parts, -1n))
        },
      }
    },
  } satisfies Movement<
    LoanRepaymentReversed,
    { loans: LoanStates; repayments: Map<string, Paid>; agreements: Agreements; lone: Lone }
  >,
}
