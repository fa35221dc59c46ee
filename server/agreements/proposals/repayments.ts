/** Repayments and reversals above what one person does alone (docs/decisions/083). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { centsFromDollars, formatDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { repaymentOf } from '../../lending/loans/repay.ts'
import { reversalOf } from '../../lending/loans/reverseRepayment.ts'
import { FROM_OPERATOR, record } from '../../records/audit/record.ts'
import type { Rules } from './kind.ts'
import { ofLoans } from './ofLoans.ts'

/** The person who asked records it. The ledger asks for no session of theirs. */
const recorder = (id: string) => ({ id, name: '', from: FROM_OPERATOR })

export const repayLoan = ofLoans<'REPAY_LOAN'>({
  asked: 'loan.repaymentAsked',
  approved: 'loan.repaymentAgreed',
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
  asked: 'loan.reversalAsked',
  approved: 'loan.reversalAgreed',
  compared: ({ repaymentId, valueOn, reference }) => ({
    repayment: repaymentId,
    valueOn,
    reference,
  }),
  posts: (work, { id, payload: { repaymentId }, reason, askedBy }) =>
    reversalOf(work, { repaymentId, reason, agreedId: id, by: recorder(askedBy) }),
})

const fileFacts = ({ lines, amount, sha256 }: PayloadOf<'IMPORT_REPAYMENTS'>) => ({
  lines,
  amount: formatDollars(amount),
  sha256,
})

const fileActions = {
  asked: 'repaymentFile.asked',
  approved: 'repaymentFile.approved',
  rejected: 'repaymentFile.declined',
  withdrawn: 'repaymentFile.declined',
} as const

export const importRepayments: Rules<'IMPORT_REPAYMENTS'> = {
  byStaff: true,
  about: ({ sha256 }) => ({ subject: sha256, userId: null }),
  facts: fileFacts,
  recordStep: ({ transaction, context, by }, step, { id, payload }) =>
    record(transaction, context.keys, {
      by,
      action: fileActions[step],
      subject: { type: 'loan', id },
      after: { ...payload },
    }),
  // A job books its lines in pieces.
  apply: async (_, { alone }) => {
    if (alone) throw refusal('loanNeedsTwo')
  },
}
