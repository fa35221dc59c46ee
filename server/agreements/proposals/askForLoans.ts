/** The calls of staff that begin an approval or a payment of a loan, each of which takes two. */
import type { Payload } from '@pool/contract/base/endpoint'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import type {
  askDisbursement as disburseCall,
  askSending as sendCall,
} from '@pool/contract/lending/loans'
import type { MailContext } from '../../accounts/mail/send.ts'
import { shareLock } from '../../base/locks.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { isSamePerson } from '../../base/sessions/samePerson.ts'
import { evidenceOn } from '../../lending/loans/disburse.ts'
import { requireReleasable, requireSendable } from '../../lending/loans/send.ts'
import { fundingOf, readLoan } from '../../lending/loans/terms.ts'
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
 * and the refusals of its kind.
 */
export const askDisbursement = (
  context: MailContext,
  asking: LoanStep,
  { networkName, evidence: typed, disbursedOn }: Payload<typeof disburseCall>,
) =>
  working(context, asking.by, async (work) => {
    const { named } = await loanOf(work, asking)
    const evidence = evidenceOn(networkName, typed)
    const { by, language } = asking
    const { id } = await propose(
      work,
      { by: by.id, language },
      // The evidence is the reason that the second person compares.
      { kind: 'DISBURSE_LOAN', reason: evidence, ...named, networkName, evidence, disbursedOn },
    )
    return { proposalId: id }
  })

/** Names the address that a batch pays a loan to. Throws as {@link askDisbursement}. */
export const askSending = (
  context: MailContext,
  asking: LoanStep,
  payload: Payload<typeof sendCall>,
) =>
  working(context, asking.by, async (work) => {
    const { named } = await loanOf(work, asking)
    const { loanId, by, language } = asking
    const means = { db: work.transaction, config: context.config }
    const { address } = payload
    const networkName = await requireSendable(means, { loanId, ...payload })
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
