import { refusal } from '@pool/contract/base/refusals'
import type { MailContext } from '../../accounts/mail/send.ts'
import { isSamePerson } from '../../base/sessions/samePerson.ts'
import type { WithConfig, WithLedger } from '../../http/context.ts'
import { readMarked } from '../../money/claims/completeAgreed.ts'
import { markCompleted } from '../../money/claims/markCompleted.ts'
import { type LoanStep, working } from './askForLoans.ts'
import { aloneOrAsk } from './askForRepayments.ts'
import { sameAsked } from './sameAsked.ts'

type CompletionContext = MailContext & WithLedger & WithConfig
type Completing = Omit<LoanStep, 'loanId'> & { readonly transactionId: string }

/** Throws as {@link markCompleted} does, and `completionNeedsTwo` without a second person. */
export const completeOrAsk = (
  context: CompletionContext,
  { transactionId, by, language }: Completing,
) =>
  aloneOrAsk(
    async () => ({
      ...(await markCompleted(context, { transactionId, by })),
      proposalId: null,
    }),
    () =>
      working(context, by, async (work) => {
        const marked = await readMarked(work.transaction, transactionId)
        if (await isSamePerson(work.transaction, marked.userId, by.id))
          throw refusal('ownTransaction')
        // The transaction is what the second person compares.
        const asked = { kind: 'COMPLETE_WITHDRAWAL' as const, reason: marked.evidence, ...marked }
        const proposalId = await sameAsked(work, by.id, asked, language)
        return { transactionId, status: 'PROCESSING' as const, proposalId }
      }),
  )
