/** Acts of one person that a second one approves where needed, in a demonstration or rehearsal. */
import { type Cents, dollarsFromCents } from '@pool/contract/base/money'
import type { MailContext } from '../../accounts/mail/send.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import type { WithLedger } from '../../http/context.ts'
import { completeOrAsk } from './askForCompletions.ts'
import { repayOrAsk, reverseOrAsk } from './askForRepayments.ts'
import { approveProposal } from './decide.ts'

type ByTwoContext = MailContext & WithLedger
/** The person that asks, and the one that approves. */
type Pair = readonly [Caller, Caller]

type Repayment = {
  readonly loanId: string
  readonly amount: Cents
  readonly valueOn: string
  readonly reference: string
}

/** Returns the id of the repayment. */
export const repayByTwo = async (
  context: ByTwoContext,
  [by, other]: Pair,
  { loanId, amount, valueOn, reference }: Repayment,
): Promise<string> => {
  const payload = { amount: dollarsFromCents(amount), valueOn, reference }
  const asked = await repayOrAsk(context, { by, language: 'en', loanId }, payload)
  if (asked.proposalId === null) return asked.repaymentId ?? ''
  await approveProposal(context, { id: asked.proposalId, by: other, byStaff: true })
  return asked.proposalId
}

export const reverseByTwo = async (
  context: ByTwoContext,
  [by, other]: Pair,
  reversal: { readonly repaymentId: string; readonly reason: string },
): Promise<void> => {
  const { proposalId } = await reverseOrAsk(context, { by, language: 'en', ...reversal })
  if (proposalId === null) return
  await approveProposal(context, { id: proposalId, by: other, byStaff: true })
}

export const completeByTwo = async (
  context: ByTwoContext,
  [by, other]: Pair,
  transactionId: string,
): Promise<void> => {
  const { proposalId } = await completeOrAsk(context, { by, language: 'en', transactionId })
  if (proposalId === null) return
  await approveProposal(context, { id: proposalId, by: other, byStaff: true })
}
