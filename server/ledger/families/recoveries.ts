/** Recoveries of loans that were written off (docs/decisions/083). */
import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import { type AgreedLoans, agreed, isAgreed } from './agreedLoans.ts'
import { type Agreements, agreements, isAgreedReversal } from './agreedRepayments.ts'
import { type LoanStates, loans } from './loanRows.ts'
import {
  dayOf,
  loanFor,
  REPAYMENTS,
  REVERSALS,
  REVERSED,
  references,
  refusedAlone,
  repaid,
  reversed,
} from './loans.ts'
import { countAlone, type Lone, lone } from './lone.ts'
import type { Movement, OperationRequest, SignedEntry, StateReading } from './movement.ts'
import { isBooked, noteUse, type Uses, uses } from './uses.ts'

/** The product records what came back as two people agreed. Its id is that of their proposal. */
export type LoanRecovered = {
  readonly movement: 'loan_recovered'
  readonly id: string
  readonly loanId: string
  readonly recovered: Cents
  /** The part of the whole loan that investors' principal funded. */
  readonly fromInvestors: Cents
  /** The part that the reserve gets. Found by the rule. */
  readonly kept?: Cents
  /** ISO text. */
  readonly valueOn: string
  readonly reference: string
  /** The id of who asked for it. */
  readonly recordedBy: string
  readonly entry: SignedEntry
}

export type LoanRecoveryReversed = OperationRequest & {
  readonly movement: 'loan_recovery_reversed'
  readonly id: string
  readonly loanId: string
  readonly repaymentId: string
  /** Found by the rule. */
  readonly recovered?: Cents
  readonly reason: string
  readonly agreedId?: string | undefined
  readonly entry: SignedEntry
}

export type RecoveryOperation = LoanRecovered | LoanRecoveryReversed

const RECOVERIES = `
SELECT id, loan_id AS "loanId", recovered, reversed, value_on::text AS "valueOn" FROM loan_repayments WHERE id = ANY ($1::uuid[])`

type Recovery = {
  readonly loanId: string
  readonly recovered: bigint
  readonly reversed: boolean
  readonly valueOn: string
}

/** Recoveries to reverse. Read once their loans are locked. */
const recoveries: StateReading<LoanRecoveryReversed, Map<string, Recovery>> = {
  read: async (query, operations) => {
    const rows = await query<Recovery & { id: string }>('read_recovered', RECOVERIES, [
      operations.map(({ repaymentId }) => repaymentId),
    ])
    return new Map(rows.map(({ id, ...recovery }) => [id, recovery]))
  },
}

/**
 * Cents of a loan's shared loss that may still be given back, to bearers with an open account.
 */
const BORNE = `
SELECT w.loan_id AS "loanId", least(w.lost - (SELECT coalesce(sum(recovered - kept), 0) FROM loan_repayments WHERE loan_id = w.loan_id),
  (SELECT coalesce(sum(cents), 0) FROM bearers_of(b.sharing_id)))::bigint AS cents
FROM loan_write_offs AS w JOIN losses_borne AS b ON b.write_off_id = w.id WHERE w.loan_id = ANY ($1::uuid[]) AND b.sharing_id IS NOT NULL`

type Borne = Map<string, bigint>

/** Exact for an operation that is decided alone. */
const borne: StateReading<LoanRecovered, Borne> = {
  read: async (query, operations) => {
    const shared = operations.filter(({ fromInvestors }) => fromInvestors > 0n)
    if (shared.length === 0) return new Map()
    const rows = await query<{ loanId: string; cents: bigint }>('read_borne', BORNE, [
      shared.map(({ loanId }) => loanId),
    ])
    return new Map(rows.map(({ loanId, cents }) => [loanId, cents]))
  },
}

export const recoveryMovements = {
  /** Coins came back of a loan that was written off: first to those who bore its loss. */
  loan_recovered: {
    legs: [{ from: 'custody', to: 'reserve', moves: 'kept' }],
    expected: repaid,
    isAlone: ({ fromInvestors }) => fromInvestors > 0n,
    reads: { loans, references, borne, agreed, uses },
    rule: (received, { loans, references, borne, agreed, uses }, at) => {
      const { id, loanId, recovered, valueOn, reference, recordedBy, entry } = received
      const loan = loans.get(loanId)
      if (!loan) return { refused: 'loanNotFound' }
      if (!isAgreed(received, 'RECOVER_LOAN', agreed)) return { refused: 'proposalClosed' }
      if (loan.status !== 'WRITTEN_OFF') return { refused: 'loanIs', status: loan.status }
      if (loan.fromInvestors !== received.fromInvestors) return { refused: 'loanNotFound' }
      if (valueOn < (loan.defaultedOn ?? '') || valueOn > dayOf(at))
        return { refused: 'recoveredWhen' }
      if (references.has(reference.toLowerCase())) return { refused: 'referenceUsed' }
      if (isBooked(received, uses)) return { refused: 'transactionBooked' }
      const most = cents(loan.writtenOff - loan.recovered)
      if (recovered > most) return { refused: 'recoveredTooMuch', most: dollarsFromCents(most) }
      const owed = borne.get(loanId) ?? 0n
      const kept = owed < recovered ? cents(recovered - owed) : cents(0n)
      return {
        rows: [
          {
            into: REPAYMENTS,
            values: [id, loanId, 0n, 0n, 0n, recovered, kept, valueOn, reference, recordedBy, null],
          },
        ],
        amounts: { kept },
        entry,
        note: () => {
          agreed.delete(id)
          borne.set(loanId, owed + kept - recovered)
          references.add(reference.toLowerCase())
          noteUse(received, null, uses)
          const sum = loan.recovered + recovered
          loans.set(loanId, { ...loan, recovered: sum, isChanged: true })
        },
      }
    },
  } satisfies Movement<
    LoanRecovered,
    { loans: LoanStates; references: Set<string>; borne: Borne; agreed: AgreedLoans; uses: Uses }
  >,

  /** A recovery that was recorded wrongly was taken back. */
  loan_recovery_reversed: {
    legs: [{ from: 'reserve', to: 'custody', moves: 'recovered' }],
    expected: reversed,
    reads: { loans, recoveries, agreements, lone },
    rule: (taken, { loans, recoveries, agreements, lone }, at) => {
      const { id, loanId, repaymentId, by, reason, agreedId, entry } = taken
      const loan = loanFor(taken, loans)
      if ('refused' in loan) return loan
      const recovery = recoveries.get(repaymentId)
      if (recovery?.loanId !== loanId || recovery.recovered === 0n)
        return { refused: 'repaymentNotFound' }
      if (recovery.reversed) return { refused: 'repaymentReversed' }
      const recovered = cents(recovery.recovered)
      const { valueOn } = recovery
      const act = { by: by.id, about: loan.borrowerId, amount: recovered, valueOn }
      const takesTwo = agreedId === undefined ? refusedAlone(lone, act, at) : undefined
      if (takesTwo) return takesTwo
      if (agreedId !== undefined && !isAgreedReversal({ agreedId, repaymentId }, agreements))
        return { refused: 'proposalClosed' }
      return {
        rows: [
          {
            into: REVERSALS,
            values: [id, repaymentId, 0n, 0n, 0n, recovered, reason, by.id, agreedId],
          },
          { into: REVERSED, values: [repaymentId] },
        ],
        amounts: { recovered },
        entry,
        note: () => {
          recoveries.set(repaymentId, { ...recovery, reversed: true })
          if (agreedId === undefined) countAlone(lone, act)
          const sum = loan.recovered - recovered
          loans.set(loanId, { ...loan, recovered: sum, isChanged: true })
        },
      }
    },
  } satisfies Movement<
    LoanRecoveryReversed,
    { loans: LoanStates; recoveries: Map<string, Recovery>; agreements: Agreements; lone: Lone }
  >,
}
