/** Loans that two members of staff approve, and then disburse (docs/decisions/057). */
import { formatDollars } from '@pool/contract/money'
import type { PayloadOf } from '@pool/contract/proposals'
import { refusal } from '@pool/contract/refusals'
import { scheduleOf } from '@pool/contract/schedules'
import { record } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { requireDisbursable, requireFunds, requireSpread, todayOf } from '../loans/disburse.ts'
import { requireReleasable, requireSendable } from '../loans/send.ts'
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

/** Throws where funds are short or too much goes to one borrower, for a schedule from a day. */
const requireLendable = async (
  { db, config }: Pick<Context, 'db' | 'config'>,
  loanId: string,
  from: string,
): Promise<void> => {
  const loan = await readLoan(db, loanId)
  await requireFunds({ db, config }, loan, scheduleOf(termsOf(loan, from)))
  const { principal } = loan
  await requireSpread(db, { loanId, principal, percent: config.loanConcentration })
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
    const means = { db: transaction, config: context.config }
    await requireDisbursable(means, payload, id)
    await requireLendable(means, payload.loanId, payload.disbursedOn)
  },
}

const sendingActions = {
  asked: 'loan.sendingAsked',
  approved: 'loan.sendingAgreed',
  rejected: 'loan.declined',
  withdrawn: 'loan.declined',
} as const satisfies Readonly<Record<Step, string>>

export const sendLoan: Rules<'SEND_LOAN'> = {
  ...ofLoans,
  facts: ({ loanId, borrower, amount, networkName, address, ...payload }) => ({
    ...{ loanId, borrower, amount: formatDollars(amount), networkName, address },
    ...funded(payload),
  }),
  tell: ({ transaction, context, by }, step, { payload }) =>
    record(transaction, context.keys, {
      by,
      action: sendingActions[step],
      subject: { type: 'loan', id: payload.loanId },
      after: {
        amount: payload.amount,
        networkName: payload.networkName,
        address: payload.address,
        ...ofInvestors(payload),
      },
    }),
  // The posting follows, as for a disbursement by hand.
  apply: async ({ transaction, context }, { id, payload, alone }) => {
    if (alone) throw refusal('loanNeedsTwo')
    const means = { db: transaction, config: context.config }
    await requireSendable(means, payload, id)
    await requireLendable(means, payload.loanId, todayOf())
  },
}

const releaseActions = {
  asked: 'loan.releaseAsked',
  approved: 'loan.releaseAgreed',
  rejected: 'loan.declined',
  withdrawn: 'loan.declined',
} as const satisfies Readonly<Record<Step, string>>

export const releaseLoan: Rules<'RELEASE_LOAN'> = {
  ...ofLoans,
  facts: ({ loanId, borrower, amount }) => ({ loanId, borrower, amount: formatDollars(amount) }),
  tell: ({ transaction, context, by }, step, { payload, reason }) =>
    record(transaction, context.keys, {
      by,
      action: releaseActions[step],
      subject: { type: 'loan', id: payload.loanId },
      after: { borrower: payload.borrower, amount: payload.amount },
      ...(step === 'asked' && { reason }),
    }),
  // Batches wait for this transaction, and then find what was agreed.
  apply: async ({ transaction }, { payload, alone }) => {
    if (alone) throw refusal('loanNeedsTwo')
    const open = await requireReleasable(transaction, payload.loanId)
    if (open !== payload.sendingId) throw refusal('proposalClosed')
  },
}
