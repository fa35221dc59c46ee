/** The calls that begin a default, a write-off, a recovery or new terms. Each takes two. */
import type { Payload } from '@pool/contract/base/endpoint'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import type * as contract from '@pool/contract/lending/lateLoans'
import { termsFrom } from '@pool/contract/lending/loanTerms'
import type { MailContext } from '../../accounts/mail/send.ts'
import { propose } from './ask.ts'
import { type LoanStep, loanOf, working } from './askForLoans.ts'

/** Says why a borrower is unlikely to pay. Throws `loanIs`, `ownLoan` and `loanNeedsTwo`. */
export const askDefault = (context: MailContext, asking: LoanStep, reason: string) =>
  working(context, asking.by, async (work) => {
    const { outstanding, named } = await loanOf(work, asking)
    const { by, language } = asking
    const amount = dollarsFromCents(cents(outstanding))
    const { id } = await propose(
      work,
      { by: by.id, language },
      { kind: 'DEFAULT_LOAN', reason, ...named, amount },
    )
    return { proposalId: id }
  })

/** Gives up what a loan in default owes. Throws as {@link askDefault}, and `loanOwes`. */
export const askWriteOff = (
  context: MailContext,
  asking: LoanStep,
  { reason, amount }: Payload<typeof contract.askLoanWriteOff>,
) =>
  working(context, asking.by, async (work) => {
    const { named } = await loanOf(work, asking)
    const { by, language } = asking
    const { id } = await propose(
      work,
      { by: by.id, language },
      { kind: 'WRITE_OFF_LOAN', reason, ...named, amount },
    )
    return { proposalId: id }
  })

/** Says what came back. Throws as {@link askDefault}, and the refusals of its kind. */
export const askRecovery = (
  context: MailContext,
  asking: LoanStep,
  recovery: Payload<typeof contract.askRecovery>,
) =>
  working(context, asking.by, async (work) => {
    const { named } = await loanOf(work, asking)
    const { by, language } = asking
    const { id } = await propose(
      work,
      { by: by.id, language },
      // The reference is what the second person compares.
      { kind: 'RECOVER_LOAN', reason: recovery.reference, ...named, ...recovery },
    )
    return { proposalId: id }
  })

/** Asks for new terms of an active loan. Throws as {@link askDefault}, and `badTerms`. */
export const askRestructuring = (
  context: MailContext,
  asking: LoanStep,
  { reason, isDistressed, ...terms }: Payload<typeof contract.askRestructuring>,
) =>
  working(context, asking.by, async (work) => {
    const { outstanding, named } = await loanOf(work, asking)
    const amount = dollarsFromCents(cents(outstanding))
    const { by, language } = asking
    const { id } = await propose(
      work,
      { by: by.id, language },
      { kind: 'RESTRUCTURE_LOAN', reason, ...named, amount, isDistressed, terms },
    )
    // After what a loan of any terms is refused for.
    const disburseOn = new Date().toISOString().slice(0, 10)
    const read = termsFrom({ ...terms, amount, disburseOn })
    if (typeof read === 'string') throw refusal('badTerms', { problem: read })
    return { proposalId: id }
  })
