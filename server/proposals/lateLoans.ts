/**
 * Defaults, write-offs, recoveries and new terms of loans, which two people agree on
 * (docs/decisions/060).
 */

import type { AuditAction } from '@pool/contract/audit'
import { cents, dollarsFromCents, formatDollars } from '@pool/contract/money'
import type { PayloadOf, ProposalKind } from '@pool/contract/proposals'
import { refusal } from '@pool/contract/refusals'
import { record } from '../audit/record.ts'
import { requireRecoverable } from '../loans/recover.ts'
import { readLoan } from '../loans/terms.ts'
import type { Rules, Step, Work } from './kind.ts'
import { funded, ofInvestors } from './loans.ts'

type Kind = Extract<
  ProposalKind,
  'DEFAULT_LOAN' | 'WRITE_OFF_LOAN' | 'RESTRUCTURE_LOAN' | 'RECOVER_LOAN'
>

/** Throws `loanIs`, and `loanOwes` where the amount that is given up is another one. */
const requireStatus = async (
  { transaction }: Work,
  { loanId, amount }: PayloadOf<Kind>,
  needed: string,
  exact = false,
) => {
  const { status, outstanding } = await readLoan(transaction, loanId)
  if (status !== needed) throw refusal('loanIs', { status })
  const owed = dollarsFromCents(cents(outstanding))
  if (exact && owed !== amount) throw refusal('loanOwes', { amount: owed })
}

type Actions = { readonly asked: AuditAction; readonly approved: AuditAction }

/** The common parts. The posting follows an approval, and a job tries again. */
const ofLoans = ({ asked, approved }: Actions, needed: string, isExact = false) =>
  ({
    evenClosed: true,
    own: 'ownLoan',
    about: ({ loanId, userId }: PayloadOf<Kind>) => ({ subject: loanId, userId }),
    tell: (
      { transaction, context, by }: Work,
      step: Step,
      { payload, reason }: { readonly payload: PayloadOf<Kind>; readonly reason: string },
    ) => {
      const action: AuditAction =
        step === 'asked' ? asked : step === 'approved' ? approved : 'loan.declined'
      return record(transaction, context.keys, {
        by,
        action: action as 'loan.declined',
        subject: { type: 'loan', id: payload.loanId },
        after: {
          borrower: payload.borrower,
          amount: payload.amount,
          ...ofInvestors(payload),
          ...('reference' in payload && { valueOn: payload.valueOn, reference: payload.reference }),
          ...('terms' in payload && { isDistressed: payload.isDistressed, ...payload.terms }),
        },
        ...(step === 'asked' && { reason }),
      })
    },
    apply: async (
      work: Work,
      { payload, alone }: { readonly payload: PayloadOf<Kind>; readonly alone: boolean },
    ) => {
      if (alone) throw refusal('loanNeedsTwo')
      await requireStatus(work, payload, needed, isExact)
    },
  }) as const

const factsOf = ({ loanId, borrower, amount, fromInvestors }: PayloadOf<Kind>) => ({
  ...{ loanId, borrower, amount: formatDollars(amount) },
  ...funded({ fromInvestors }),
})

export const defaultLoan: Rules<'DEFAULT_LOAN'> = {
  ...ofLoans({ asked: 'loan.defaultAsked', approved: 'loan.defaultAgreed' }, 'ACTIVE'),
  byStaff: true,
  facts: factsOf,
}

export const writeOffLoan: Rules<'WRITE_OFF_LOAN'> = {
  ...ofLoans({ asked: 'loan.writeOffAsked', approved: 'loan.writeOffAgreed' }, 'DEFAULTED', true),
  facts: factsOf,
}

const recovery = ofLoans(
  { asked: 'loan.recoveryAsked', approved: 'loan.recoveryAgreed' },
  'WRITTEN_OFF',
)
export const recoverLoan: Rules<'RECOVER_LOAN'> = {
  ...recovery,
  byStaff: true,
  facts: ({ valueOn, reference, ...payload }) => ({
    ...factsOf({ ...payload, valueOn, reference }),
    valueOn,
    reference,
  }),
  apply: async (work, proposal) => {
    await recovery.apply(work, proposal)
    await requireRecoverable(work.transaction, proposal.payload)
  },
}

export const restructureLoan: Rules<'RESTRUCTURE_LOAN'> = {
  ...ofLoans({ asked: 'loan.termsAsked', approved: 'loan.termsAgreed' }, 'ACTIVE'),
  byStaff: true,
  facts: ({ terms, ...payload }) => ({
    ...factsOf(payload as PayloadOf<'DEFAULT_LOAN'>),
    instalments: terms.instalments,
    firstDueOn: terms.firstDueOn,
    rate: `${(terms.rateBasisPoints / 100).toFixed(2)} %`,
    isDistressed: payload.isDistressed,
    rateBasisPoints: terms.rateBasisPoints,
    schedule: terms.schedule,
    period: terms.period,
    dayCount: terms.dayCount,
    dueDay: terms.dueDay,
  }),
}
