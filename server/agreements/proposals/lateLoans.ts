/**
 * Defaults, write-offs, recoveries and new terms of loans, which two people agree on
 * (docs/decisions/060).
 */

import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import {
  defaultOf,
  loanWriteOffOf,
  recoveryOf,
  restructuringOf,
} from '../../lending/loans/agreed.ts'
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
  requires: (work, { payload }) => requireStatus(work, payload, 'ACTIVE'),
  posts: defaultOf,
})

export const writeOffLoan = ofLoans<'WRITE_OFF_LOAN'>({
  requires: (work, { payload }) => requireStatus(work, payload, 'DEFAULTED', true),
  posts: loanWriteOffOf,
})

export const recoverLoan = ofLoans<'RECOVER_LOAN'>({
  compared: ({ valueOn, reference }) => ({ valueOn, reference }),
  requires: ({ transaction }, { payload }) => requireRecoverable(transaction, payload),
  posts: (work, agreed) => recoveryOf(work, agreed, agreed.askedBy),
})

const newTerms = ofLoans<'RESTRUCTURE_LOAN'>({
  compared: ({ isDistressed, terms }) => ({ isDistressed, ...terms }),
  requires: (work, { payload }) => requireStatus(work, payload, 'ACTIVE'),
  posts: restructuringOf,
})
export const restructureLoan = {
  ...newTerms,
  facts: (payload: PayloadOf<'RESTRUCTURE_LOAN'>) => ({
    ...newTerms.facts(payload),
    rate: `${(payload.terms.rateBasisPoints / 100).toFixed(2)} %`,
  }),
}
