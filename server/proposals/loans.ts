/** Loans that two members of staff approve, and then disburse (docs/decisions/057). */
import { formatDollars } from '@pool/contract/money'
import type { PayloadOf } from '@pool/contract/proposals'
import { refusal } from '@pool/contract/refusals'
import { scheduleOf } from '@pool/contract/schedules'
import { record } from '../audit/record.ts'
import { requireDisbursable, requireFunds, requireSpread } from '../loans/disburse.ts'
import { readLoan, termsOf } from '../loans/terms.ts'
import type { Rules, Step } from './kind.ts'

const approvalActions = {
  asked: 'loan.approvalAsked',
  approved: 'loan.approved',
  rejected: 'loan.declined',
  withdrawn: 'loan.declined',
} as const satisfies Readonly<Record<Step, string>>

const disbursementActions = {
  asked: 'loan.disbursementAsked',
  approved: 'loan.disbursementAgreed',
  rejected: 'loan.declined',
  withdrawn: 'loan.declined',
} as const satisfies Readonly<Record<Step, string>>

type Funded = { readonly fromInvestors?: number | undefined }

/** The part of investors' principal, in words. */
export const funded = ({ fromInvestors = 0 }: Funded) => ({
  fromInvestors: formatDollars(fromInvestors),
})

/** The same in an entry, where there is one. */
export const ofInvestors = ({ fromInvestors }: Funded) =>
  fromInvestors === undefined ? {} : { fromInvestors }

/** The common parts of both kinds. Related parties and others alike take two. */
const ofLoans = {
  byStaff: true,
  evenClosed: true,
  own: 'ownLoan',
  about: ({ loanId, userId }: PayloadOf<'APPROVE_LOAN'>) => ({ subject: loanId, userId }),
} as const

export const approveLoan: Rules<'APPROVE_LOAN'> = {
  ...ofLoans,
  facts: ({ loanId, borrower, amount, ...payload }) => ({
    ...{ loanId, borrower, amount: formatDollars(amount) },
    ...funded(payload),
  }),
  tell: ({ transaction, context, by }, step, { payload, reason }) =>
    record(transaction, context.keys, {
      by,
      action: approvalActions[step],
      subject: { type: 'loan', id: payload.loanId },
      after: { borrower: payload.borrower, amount: payload.amount, ...ofInvestors(payload) },
      ...(step === 'asked' && { reason }),
    }),
  apply: async ({ transaction }, { payload: { loanId }, alone }) => {
    if (alone) throw refusal('loanNeedsTwo')
    const { numUpdatedRows } = await transaction
      .updateTable('loans')
      .set({ status: 'APPROVED' })
      .where('id', '=', loanId)
      .where('status', '=', 'APPLIED')
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n)
      throw refusal('loanIs', { status: (await readLoan(transaction, loanId)).status })
  },
}

export const disburseLoan: Rules<'DISBURSE_LOAN'> = {
  ...ofLoans,
  facts: ({ loanId, borrower, amount, networkName, evidence, disbursedOn, ...payload }) => ({
    ...{ loanId, borrower, amount: formatDollars(amount), networkName, evidence, disbursedOn },
    ...funded(payload),
  }),
  tell: ({ transaction, context, by }, step, { payload }) =>
    record(transaction, context.keys, {
      by,
      action: disbursementActions[step],
      subject: { type: 'loan', id: payload.loanId },
      after: {
        amount: payload.amount,
        networkName: payload.networkName,
        evidence: payload.evidence,
        disbursedOn: payload.disbursedOn,
        ...ofInvestors(payload),
      },
    }),
  // The posting follows, and a job tries again where an investment took the reserve meanwhile.
  apply: async ({ transaction, context }, { id, payload, alone }) => {
    if (alone) throw refusal('loanNeedsTwo')
    await requireDisbursable(transaction, payload, id)
    const loan = await readLoan(transaction, payload.loanId)
    const lines = scheduleOf(termsOf(loan, payload.disbursedOn))
    await requireFunds({ db: transaction, config: context.config }, loan, lines)
    const { principal } = loan
    const percent = context.config.loanConcentration
    await requireSpread(transaction, { loanId: payload.loanId, principal, percent })
  },
}
