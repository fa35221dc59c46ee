/** Loans that two members of staff approve, and then disburse or send (docs/decisions/057, 071). */
import { refusal } from '@pool/contract/base/refusals'
import { scheduleOf } from '@pool/contract/lending/schedules'
import {
  disbursementOf,
  requireDisbursable,
  requireFunds,
  requireSpread,
  todayOf,
} from '../../lending/loans/disburse.ts'
import {
  releaseOf,
  requireReleasable,
  requireSendable,
  reservationOf,
} from '../../lending/loans/send.ts'
import { readLoan, termsOf } from '../../lending/loans/terms.ts'
import type { Work } from './kind.ts'
import { ofLoans } from './ofLoans.ts'
import { requireLendingPace } from './secondPerson.ts'

export const approveLoan = ofLoans<'APPROVE_LOAN'>({
  apply: async ({ transaction }, { payload: { loanId } }) => {
    const { numUpdatedRows } = await transaction
      .updateTable('loans')
      .set({ status: 'APPROVED' })
      .where('id', '=', loanId)
      .where('status', '=', 'APPLIED')
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n)
      throw refusal('loanIs', { status: (await readLoan(transaction, loanId)).status })
  },
})

const meansOf = ({ transaction, context }: Work) => ({ db: transaction, config: context.config })

/** Throws where funds are short or too much goes to one borrower, for a schedule from a day. */
const requireLendable = async (
  work: Work,
  { id, loanId, from }: { readonly id: string; readonly loanId: string; readonly from: string },
): Promise<void> => {
  const means = meansOf(work)
  const loan = await readLoan(means.db, loanId)
  await requireFunds(means, loan, scheduleOf(termsOf(loan, from)))
  const { principal } = loan
  await requireLendingPace(means.db, { id, principal, by: work.by.id ?? '' })
  const percent = means.config.loanConcentration
  await requireSpread(means.db, { loanId, principal, percent })
}

export const disburseLoan = ofLoans<'DISBURSE_LOAN'>({
  compared: ({ networkName, evidence, disbursedOn }) => ({ networkName, evidence, disbursedOn }),
  requires: async (work, { id, payload }) => {
    await requireDisbursable(meansOf(work), payload)
    await requireLendable(work, { id, loanId: payload.loanId, from: payload.disbursedOn })
  },
  posts: (work, { id, payload }) => disbursementOf(work, id, payload),
})

export const sendLoan = ofLoans<'SEND_LOAN'>({
  compared: ({ networkName, address }) => ({ networkName, address }),
  requires: async (work, { id, payload }) => {
    await requireSendable(meansOf(work), payload)
    await requireLendable(work, { id, loanId: payload.loanId, from: todayOf() })
  },
  posts: (work, { id, payload }) => reservationOf(work, id, payload),
})

export const releaseLoan = ofLoans<'RELEASE_LOAN'>({
  // Batches wait for this transaction, and then find the loan freed.
  requires: async ({ transaction }, { payload }) => {
    const open = await requireReleasable(transaction, payload.loanId)
    if (open !== payload.sendingId) throw refusal('proposalClosed')
  },
  posts: releaseOf,
})
