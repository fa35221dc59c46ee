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
import { type OnLoan, ofLoans } from './ofLoans.ts'
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
const requireLendable = async (work: Work, loanId: string, from: string): Promise<void> => {
  const { db, config } = meansOf(work)
  const loan = await readLoan(db, loanId)
  await requireFunds({ db, config }, loan, scheduleOf(termsOf(loan, from)))
  const { principal } = loan
  await requireSpread(db, { loanId, principal, percent: config.loanConcentration })
}

/** Throws `lendingNeedsSuperAdmin`. The person who asks may have any role. */
const requirePace = async (
  { db, by }: OnLoan,
  { id, loanId }: { readonly id: string; readonly loanId: string },
): Promise<void> => {
  const { principal } = await readLoan(db, loanId)
  await requireLendingPace(db, { id, principal, by: by.id ?? '' })
}

export const disburseLoan = ofLoans<'DISBURSE_LOAN'>({
  compared: ({ networkName, evidence, disbursedOn }) => ({ networkName, evidence, disbursedOn }),
  requires: async (work, { payload }) => {
    await requireDisbursable(meansOf(work), payload)
    await requireLendable(work, payload.loanId, payload.disbursedOn)
  },
  posts: async (work, { id, payload }) => {
    await requirePace(work, { id, loanId: payload.loanId })
    return disbursementOf(work, id, payload)
  },
})

export const sendLoan = ofLoans<'SEND_LOAN'>({
  compared: ({ networkName, address }) => ({ networkName, address }),
  requires: async (work, { payload }) => {
    await requireSendable(meansOf(work), payload)
    await requireLendable(work, payload.loanId, todayOf())
  },
  posts: async (work, { id, payload }) => {
    await requirePace(work, { id, loanId: payload.loanId })
    return reservationOf(work, id, payload)
  },
})

export const releaseLoan = ofLoans<'RELEASE_LOAN'>({
  // Batches wait for this transaction, and then find the loan freed.
  requires: async ({ transaction }, { payload }) => {
    const open = await requireReleasable(transaction, payload.loanId)
    if (open !== payload.sendingId) throw refusal('proposalClosed')
  },
  posts: releaseOf,
})
