/** Repayments and reversals above what one person does alone (docs/decisions/083). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { centsFromDollars, formatDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { recountOf, requireSameLater } from '../../lending/loans/recount.ts'
import { repaymentOf } from '../../lending/loans/repay.ts'
import { reversalOf } from '../../lending/loans/reverseRepayment.ts'
import { FROM_OPERATOR } from '../../records/audit/record.ts'
import type { Rules } from './kind.ts'
import { ofLoans } from './ofLoans.ts'

/** The person who asked records it. The ledger asks for no session of theirs. */
const recorder = (id: string) => ({ id, name: '', from: FROM_OPERATOR })

export const repayLoan = ofLoans<'REPAY_LOAN'>({
  compared: ({ valueOn, reference, inFull }) => ({
    valueOn,
    reference,
    ...(inFull && { inFull }),
  }),
  posts: ({ keys }, { id, payload, askedBy }) => {
    const { loanId, valueOn, reference, inFull, amount: dollars } = payload
    const repayment = { loanId, valueOn, reference, inFull, amount: centsFromDollars(dollars) }
    return repaymentOf({ keys }, id, { ...repayment, agreedId: id, by: recorder(askedBy) })
  },
})

export const reverseRepayment = ofLoans<'REVERSE_REPAYMENT'>({
  compared: ({ repaymentId, valueOn, reference }) => ({
    repaymentId,
    valueOn,
    reference,
  }),
  posts: (work, { id, payload: { repaymentId }, reason, askedBy }) =>
    reversalOf(work, { repaymentId, reason, agreedId: id, by: recorder(askedBy) }),
})

export const recountLoan = ofLoans<'RECOUNT_LOAN'>({
  compared: ({ repaymentIds }) => ({ repaymentIds, count: repaymentIds.length }),
  requires: ({ transaction }, { payload }) => requireSameLater(transaction, payload),
  posts: (work, { id, payload: { loanId }, reason, askedBy }) =>
    recountOf(work, { id, loanId, reason, by: recorder(askedBy) }),
})

const fileFacts = ({ lines, amount, sha256 }: PayloadOf<'IMPORT_REPAYMENTS'>) => ({
  lines,
  amount: formatDollars(amount),
  sha256,
})

export const importRepayments: Rules<'IMPORT_REPAYMENTS'> = {
  about: ({ sha256 }) => ({ subject: sha256, userId: null }),
  facts: fileFacts,
  // A job books its lines in pieces.
  apply: async (_, { alone }) => {
    if (alone) throw refusal('loanNeedsTwo')
  },
}
