/** Repayments and reversals above what one person does alone (docs/decisions/083). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { record } from '../../records/audit/record.ts'
import type { Rules } from './kind.ts'
import { ofLoans } from './ofLoans.ts'

// The posting follows, and is refused as the ledger says.
const nothing = async () => undefined

export const repayLoan = ofLoans<'REPAY_LOAN'>({
  asked: 'loan.repaymentAsked',
  approved: 'loan.repaymentAgreed',
  compared: ({ valueOn, reference, inFull }) => ({
    valueOn,
    reference,
    ...(inFull && { inFull }),
  }),
  apply: nothing,
})

export const reverseRepayment = ofLoans<'REVERSE_REPAYMENT'>({
  asked: 'loan.reversalAsked',
  approved: 'loan.reversalAgreed',
  compared: ({ repaymentId, valueOn, reference }) => ({
    repayment: repaymentId,
    valueOn,
    reference,
  }),
  apply: nothing,
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
  apply: async (_, { alone }) => {
    if (alone) throw refusal('loanNeedsTwo')
  },
}
