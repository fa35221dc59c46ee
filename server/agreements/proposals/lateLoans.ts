/**
 * Defaults, write-offs, recoveries and new terms of loans, which two people agree on
 * (docs/decisions/060).
 */

import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { requireRecoverable } from '../../lending/loans/recover.ts'
import { readLoan } from '../../lending/loans/terms.ts'
import type { Work } from './kind.ts'
import { ofLoans } from './ofLoans.ts'

type Owing = Pick<PayloadOf<'DEFAULT_LOAN'>, 'loanId' | 'amount'>

/** Throws `loanIs`, and `loanOwes` where the amount that is given up is another one. */
const requireStatus = async (
  { transaction }: Work,
  { loanId, amount }: Owing,
  needed: string,
  exact = false,
) => {
  const { status, outstanding } = await readLoan(transaction, loanId)
  if (status !== needed) throw refusal('loanIs', { status })
  const owed = dollarsFromCents(cents(outstanding))
  if (exact && owed !== amount) throw refusal('loanOwes', { amount: owed })
}

export const defaultLoan = ofLoans<'DEFAULT_LOAN'>({
  asked: 'loan.defaultAsked',
  approved: 'loan.defaultAgreed',
  apply: (work, { payload }) => requireStatus(work, payload, 'ACTIVE'),
})

export const writeOffLoan = ofLoans<'WRITE_OFF_LOAN'>({
  asked: 'loan.writeOffAsked',
  approved: 'loan.writeOffAgreed',
  bySuperAdmins: true,
  apply: (work, { payload }) => requireStatus(work, payload, 'DEFAULTED', true),
})

export const recoverLoan = ofLoans<'RECOVER_LOAN'>({
  asked: 'loan.recoveryAsked',
  approved: 'loan.recoveryAgreed',
  compared: ({ valueOn, reference }) => ({ valueOn, reference }),
  apply: async (work, { payload }) => {
    await requireStatus(work, payload, 'WRITTEN_OFF')
    await requireRecoverable(work.transaction, payload)
  },
})

const newTerms = ofLoans<'RESTRUCTURE_LOAN'>({
  asked: 'loan.termsAsked',
  approved: 'loan.termsAgreed',
  compared: ({ isDistressed, terms }) => ({ isDistressed, ...terms }),
  apply: (work, { payload }) => requireStatus(work, payload, 'ACTIVE'),
})
export const restructureLoan = {
  ...newTerms,
  facts: (payload: PayloadOf<'RESTRUCTURE_LOAN'>) => ({
    ...newTerms.facts(payload),
    rate: `${(payload.terms.rateBasisPoints / 100).toFixed(2)} %`,
  }),
}
