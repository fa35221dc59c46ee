/** The calls of staff that begin an approval or a payment of a loan, each of which takes two. */
import type { Payload } from '@pool/contract/base/endpoint'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import type {
  askDisbursement as disburseCall,
  askSending as sendCall,
} from '@pool/contract/lending/loans'
import { scheduleOf } from '@pool/contract/lending/schedules'
import type { MailContext } from '../../accounts/mail/send.ts'
import { shareLock } from '../../base/locks.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { isSamePerson } from '../../base/sessions/samePerson.ts'
import {
  evidenceOn,
  requireDisbursable,
  requireFunds,
  requireSpread,
  todayOf,
} from '../../lending/loans/disburse.ts'
import { requireReleasable, requireSendable } from '../../lending/loans/send.ts'
import { fundingOf, readLoan, termsOf } from '../../lending/loans/terms.ts'
import { type ProposalAsker, propose } from './ask.ts'
import type { Work } from './kind.ts'

export type LoanStep = ProposalAsker & { readonly loanId: string }

/** The loan of a call. Throws `ownLoan` to its borrower. */
export const loanOf = async ({ transaction }: Work, { by, loanId }: LoanStep) => {
  const loan = await readLoan(transaction, loanId)
  if (await isSamePerson(transaction, loan.userId, by.id)) throw refusal('ownLoan')
  const { status, principal, outstanding, borrower, userId } = loan
  const named = {
    loanId,
    borrower,
    userId,
    amount: dollarsFromCents(cents(principal)),
    ...fundingOf(loan),
  }
  return { loan, status, principal, outstanding, named }
}

/** A step waits for open groups on every node, as others of proposals do. */
export const working = <Result>(
  context: MailContext,
  by: Caller,
  ask: (work: Work) => Promise<Result>,
): Promise<Result> =>
  context.db.transaction().execute(async (transaction) => {
    await shareLock(transaction, 'groups')
    return ask({ transaction, context, by })
  })

/** Approves a recorded loan as the first of two. Throws `loanIs`, `ownLoan` and `loanNeedsTwo`. */
export const askApproval = (context: MailContext, asking: LoanStep, reason: string) =>
  working(context, asking.by, async (work) => {
    const { status, named } = await loanOf(work, asking)
    if (status !== 'APPLIED') throw refusal('loanIs', { status })
    const { by, language } = asking
    const { id } = await propose(
      work,
      { by: by.id, language },
      { kind: 'APPROVE_LOAN', reason, ...named },
    )
    return { proposalId: id }
  })

/**
 * Names the transaction that paid a loan out. Throws as {@link askApproval}, `evidenceInvalid`,
 * `loanConcentrated`, and as {@link requireFunds} and {@link requireDisbursable} does.
 */
export const askDisbursement = (
  context: MailContext,
  asking: LoanStep,
  { networkName, evidence: typed, disbursedOn }: Payload<typeof disburseCall>,
) =>
  working(context, asking.by, async (work) => {
    const { loan, principal, named } = await loanOf(work, asking)
    const evidence = evidenceOn(networkName, typed)
    const { loanId, by, language } = asking
    const means = { db: work.transaction, config: context.config }
    await requireDisbursable(means, { loanId, networkName, evidence, disbursedOn })
    await requireFunds(means, loan, scheduleOf(termsOf(loan, disbursedOn)))
    const percent = context.config.loanConcentration
    await requireSpread(work.transaction, { loanId, principal, percent })
    const { id } = await propose(
      work,
      { by: by.id, language },
      // The evidence is the reason that the second person compares.
      { kind: 'DISBURSE_LOAN', reason: evidence, ...named, networkName, evidence, disbursedOn },
    )
    return { proposalId: id }
  })

/**
 * Names the address that a batch pays a loan to. Throws as {@link askApproval}, `loanConcentrated`,
 * and as {@link requireFunds} and {@link requireSendable} does.
 */
export const askSending = (
  context: MailContext,
  asking: LoanStep,
  payload: Payload<typeof sendCall>,
) =>
  working(context, asking.by, async (work) => {
    const { loan, principal, named } = await loanOf(work, asking)
    const { loanId, by, language } = asking
    const means = { db: work.transaction, config: context.config }
    const { address } = payload
    const networkName = await requireSendable(means, { loanId, ...payload })
    await requireFunds(means, loan, scheduleOf(termsOf(loan, todayOf())))
    const percent = context.config.loanConcentration
    await requireSpread(work.transaction, { loanId, principal, percent })
    const { id } = await propose(
      work,
      { by: by.id, language },
      // The address is the reason that the second person compares.
      { kind: 'SEND_LOAN', reason: address, ...named, networkName, address },
    )
    return { proposalId: id }
  })

/** Asks to free the money of a loan. Throws as {@link askApproval}, and `loanInBatch`. */
export const askRelease = (context: MailContext, asking: LoanStep, reason: string) =>
  working(context, asking.by, async (work) => {
    const { named } = await loanOf(work, asking)
    const sendingId = await requireReleasable(work.transaction, asking.loanId)
    const { by, language } = asking
    const { id } = await propose(
      work,
      { by: by.id, language },
      { kind: 'RELEASE_LOAN', reason, ...named, sendingId },
    )
    return { proposalId: id }
  })
