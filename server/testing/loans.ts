import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import { askApproval, askDisbursement } from '../agreements/proposals/askForLoans.ts'
import { approveProposal } from '../agreements/proposals/decide.ts'
import type { Caller } from '../base/sessions/actor.ts'
import type { OnLedger, WithConfig } from '../http/context.ts'
import { recordBorrower } from '../lending/borrowers/recordBorrower.ts'
import { recordLoan } from '../lending/loans/recordLoan.ts'

/** A day so many days from today, in ISO text. */
export const dayFrom = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

type Lending = Parameters<typeof askApproval>[0] & OnLedger & WithConfig

/** Records a borrower, and returns its id. */
export const newBorrower = async (context: Lending, by: Caller): Promise<string> =>
  (
    await recordBorrower(context, by, {
      name: 'Ann Mason',
      country: 'DE',
      kind: 'person',
      relation: 'none',
      grade: 'B',
      gradeReason: 'Two years of accounts',
    })
  ).id

/**
 * Lends for 12 weeks at 12 %, from 30 days ago. Two people approve it and disburse it. Returns
 * the loan's id.
 */
export const lend = async (
  context: Lending,
  borrowerId: string,
  { principal, fromInvestors = cents(0n) }: { principal: Cents; fromInvestors?: Cents },
  [first, second]: readonly [Caller, Caller],
): Promise<string> => {
  const { id: loanId } = await recordLoan(context, first, {
    borrowerId,
    purpose: 'business',
    amount: dollarsFromCents(principal),
    rateBasisPoints: 1_200,
    schedule: 'annuity',
    period: 'weekly',
    dayCount: 'act365',
    ...(fromInvestors > 0n && { fromInvestors: dollarsFromCents(fromInvestors) }),
    instalments: 12,
    dueDay: 1,
    disburseOn: dayFrom(-30),
    takenOverOn: dayFrom(0),
    firstDueOn: dayFrom(-23),
  })
  const asking = { by: first, language: 'en', loanId } as const
  const approval = await askApproval(context, asking, 'Vetted')
  await approveProposal(context, { id: approval.proposalId, by: second })
  const evidence = `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')
  const paid = { networkName: 'Bitcoin', evidence, disbursedOn: dayFrom(-30) }
  const { proposalId } = await askDisbursement(context, asking, paid)
  await approveProposal(context, { id: proposalId, by: second })
  return loanId
}
