/** The operations of defaults, write-offs, recoveries and new terms that two people agreed on. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { loanDay } from '@pool/contract/lending/loanDays'
import type { WithConfig } from '../../http/context.ts'
import type { Operation } from '../../ledger/families/movements.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { type OnRecord, SYSTEM } from '../../records/audit/record.ts'
import { pausingOf } from './covers.ts'
import { readLoan } from './terms.ts'

type Kinds = 'DEFAULT_LOAN' | 'WRITE_OFF_LOAN' | 'RECOVER_LOAN' | 'RESTRUCTURE_LOAN'
type AgreedLoanAct<Kind extends Kinds> = {
  readonly id: string
  readonly payload: PayloadOf<Kind>
}

/** The operation of a default by the judgement of two people. */
export const defaultOf = async (
  { db, keys, config }: OnRecord & WithConfig,
  { id, payload: { loanId } }: AgreedLoanAct<'DEFAULT_LOAN'>,
): Promise<Operation> => {
  const { outstanding } = await readLoan(db, loanId)
  const reason = 'unlikelyToPay'
  const entry = signEntry(keys, {
    by: SYSTEM,
    action: 'loan.defaulted',
    subject: { type: 'loan', id: loanId },
    after: { amount: dollarsFromCents(cents(outstanding)), reason },
  })
  const { loanTolerance: tolerance } = config
  return { movement: 'loan_defaulted', id, loanId, entry, reason, tolerance }
}

/** The operation of a write-off. */
export const loanWriteOffOf = async (
  { db, keys }: OnRecord,
  { id, payload: { loanId, amount } }: AgreedLoanAct<'WRITE_OFF_LOAN'>,
): Promise<Operation> => {
  const { fromInvestors } = await readLoan(db, loanId)
  return {
    movement: 'loan_written_off',
    id,
    loanId,
    principal: centsFromDollars(amount),
    fromInvestors: cents(fromInvestors),
    pausing: pausingOf(keys),
    entry: signEntry(keys, {
      by: SYSTEM,
      action: 'loan.writtenOff',
      subject: { type: 'loan', id: loanId },
      after: { amount },
    }),
  }
}

/** The operation of a recovery, recorded by the person who asked. */
export const recoveryOf = async (
  { db, keys }: OnRecord,
  { id, payload }: AgreedLoanAct<'RECOVER_LOAN'>,
  recordedBy: string,
): Promise<Operation> => {
  const { loanId, amount, valueOn, reference } = payload
  const { fromInvestors } = await readLoan(db, loanId)
  return {
    movement: 'loan_recovered',
    id,
    loanId,
    valueOn,
    reference,
    recordedBy,
    recovered: centsFromDollars(amount),
    fromInvestors: cents(fromInvestors),
    entry: signEntry(keys, {
      by: SYSTEM,
      action: 'loan.recovered',
      subject: { type: 'loan', id: loanId },
      after: { amount, repayment: id, valueOn, reference },
    }),
  }
}

/** The operation of new terms. Throws `badTerms` for a day that no calendar has. */
export const restructuringOf = async (
  { db, keys }: OnRecord,
  { id, payload: { loanId, isDistressed, terms } }: AgreedLoanAct<'RESTRUCTURE_LOAN'>,
): Promise<Operation> => {
  const { outstanding } = await readLoan(db, loanId)
  const { schedule: kind, firstDueOn: typed, ...rest } = terms
  const firstDueOn = loanDay(typed)
  if (!firstDueOn) throw refusal('badTerms', { problem: 'dateFar' })
  const entry = signEntry(keys, {
    by: SYSTEM,
    action: 'loan.restructured',
    subject: { type: 'loan', id: loanId },
    after: { amount: dollarsFromCents(cents(outstanding)), ...terms },
  })
  return {
    movement: 'loan_restructured',
    id,
    loanId,
    entry,
    isDistressed,
    terms: { ...rest, kind, firstDueOn },
  }
}
