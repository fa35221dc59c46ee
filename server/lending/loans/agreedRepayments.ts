/** Repayments, reversals and files that two people agreed on. The product books each once. */
import { type PayloadOf, PROPOSAL_DAYS } from '@pool/contract/agreements/proposals'
import { centsFromDollars } from '@pool/contract/base/money'
import { sql } from 'kysely'
import type { OnLedger } from '../../http/context.ts'
import { FROM_OPERATOR } from '../../records/audit/record.ts'
import { importRepayments } from './importRepayments.ts'
import { postEach } from './postEach.ts'
import { repayLoan } from './repay.ts'
import { reverseRepayment } from './reverseRepayment.ts'

type AgreedRepayment = {
  readonly id: string
  readonly askedBy: string
  readonly reason: string
} & (
  | { readonly kind: 'REPAY_LOAN'; readonly payload: PayloadOf<'REPAY_LOAN'> }
  | { readonly kind: 'REVERSE_REPAYMENT'; readonly payload: PayloadOf<'REVERSE_REPAYMENT'> }
  | { readonly kind: 'IMPORT_REPAYMENTS'; readonly csv: string }
)

/** Approved proposals that are not booked, oldest first. After a week they count for nothing. */
const readAgreed = async ({ db }: OnLedger): Promise<readonly AgreedRepayment[]> => {
  const { rows } = await sql<AgreedRepayment>`
    SELECT p.id, p.kind, p.payload, p.reason, p.asked_by AS "askedBy", f.csv
    FROM proposals AS p LEFT JOIN repayment_files AS f ON f.proposal_id = p.id
    WHERE p.kind IN ('REPAY_LOAN', 'REVERSE_REPAYMENT', 'IMPORT_REPAYMENTS') AND p.status = 'DONE'
      AND p.decided_at > now() - make_interval(days => ${PROPOSAL_DAYS}) AND f.posted_at IS NULL
      AND NOT EXISTS (SELECT FROM loan_repayments WHERE id = p.id) AND NOT EXISTS (SELECT FROM loan_reversals WHERE id = p.id)
    ORDER BY p.asked_at, p.id`.execute(db)
  return rows
}

/** Refusals after which the next call tries again, or the loan rules it out. */
const RETRYABLE = [
  'loanIs',
  'repaidTooMuch',
  'repaidWhen',
  'payoffIs',
  'payoffWhen',
  'referenceUsed',
  'repaymentReversed',
  'repaymentBefore',
  'loanReserveShort',
  'proposalClosed',
  'ownLoan',
  'busy',
  'unavailable',
  'outcomeUnknown',
]

/** Books what two people agreed on, each once (docs/product.md 5.26). Returns their number. */
export const postAgreedRepayments = async (context: OnLedger): Promise<number> =>
  postEach(
    await readAgreed(context),
    async (agreed) => {
      const { id: agreedId, kind, reason, askedBy } = agreed
      const by = { id: askedBy, name: '', from: FROM_OPERATOR }
      if (kind === 'REPAY_LOAN') {
        const { loanId, valueOn, reference, inFull, amount: dollars } = agreed.payload
        const amount = centsFromDollars(dollars)
        const repayment = { loanId, valueOn, reference, inFull, amount, agreedId, by }
        await repayLoan(context, repayment, agreedId)
        return true
      }
      if (kind === 'REVERSE_REPAYMENT') {
        const { repaymentId } = agreed.payload
        await reverseRepayment(context, { repaymentId, reason, agreedId, by })
        return true
      }
      const { csv } = agreed
      const { problems } = await importRepayments(context, { csv, dryRun: false, agreedId, by })
      if (problems.length > 0) return false
      await sql`UPDATE repayment_files SET posted_at = now() WHERE proposal_id = ${agreedId}`.execute(
        context.db,
      )
      return true
    },
    RETRYABLE,
  )
