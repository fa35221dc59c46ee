import { randomUUID } from 'node:crypto'
import { type Cents, dollarsFromCents } from '@pool/contract/base/money'
import { askApproval, askRelease, askSending } from '../agreements/proposals/askForLoans.ts'
import { approveProposal } from '../agreements/proposals/decide.ts'
import type { Caller } from '../base/sessions/actor.ts'
import { signConfirmation } from '../ledger/families/loanConfirmations.ts'
import { recordLoan } from '../lending/loans/recordLoan.ts'
import { postSentLoans } from '../lending/loans/send.ts'
import { newAddress } from './addresses.ts'
import { approveTwice } from './approveTwice.ts'
import { dayFrom } from './loans.ts'
import { tamper } from './tamper.ts'

type Context = Parameters<typeof postSentLoans>[0] & Parameters<typeof askSending>[0]
type Both = readonly [Caller, Caller]

/** Records a loan from today, which two people approve and agree to send. */
export const reserveLoan = async (
  context: Context,
  borrowerId: string,
  { principal, fromInvestors }: { readonly principal: Cents; readonly fromInvestors: Cents },
  [first, second]: Both,
) => {
  const { id: loanId } = await recordLoan(context, first, {
    borrowerId,
    purpose: 'business',
    amount: dollarsFromCents(principal),
    ...(fromInvestors > 0n && { fromInvestors: dollarsFromCents(fromInvestors) }),
    rateBasisPoints: 1_200,
    schedule: 'annuity',
    period: 'weekly',
    dayCount: 'act365',
    instalments: 12,
    dueDay: 1,
    disburseOn: dayFrom(0),
    firstDueOn: dayFrom(7),
  })
  const asking = { by: first, language: 'en', loanId } as const
  const agree = ({ proposalId: id }: { readonly proposalId: string }) =>
    approveProposal(context, { id, by: second })
  await agree(await askApproval(context, asking, 'Vetted'))
  const address = newAddress('Ethereum')
  const asked = await askSending(context, asking, { networkName: 'Ethereum', address })
  return approveTwice(context, { id: asked.proposalId, by: second })
}

type Ending = {
  readonly verb: 'free' | 'arrive'
  readonly place: number
  readonly database: Parameters<typeof tamper>[0]
}

/** Frees a reserved loan, or has the chain show its coins. Each two times at once. */
export const endSending = async (
  context: Context,
  { verb, place, database }: Ending,
  [first, second]: Both,
): Promise<unknown> => {
  const all = await context.db
    .selectFrom('loan_sendings')
    .select(['id', 'loan_id'])
    .orderBy('id')
    .execute()
  const chosen = all[place % Math.max(all.length, 1)]
  if (!chosen) return undefined
  if (verb === 'free') {
    const asked = await askRelease(
      context,
      { by: first, language: 'en', loanId: chosen.loan_id },
      'Withdrawn',
    )
    return approveTwice(context, { id: asked.proposalId, by: second })
  }
  const confirmation = {
    sendingId: chosen.id,
    transaction: randomUUID(),
    output: 0,
    basis: 'coins in a block',
    minedAt: null,
  }
  await tamper(
    database,
    `INSERT INTO loan_confirmations (sending_id, transaction_id, output, basis, mac)
     SELECT s.id, '${confirmation.transaction}', 0, '${confirmation.basis}', '${signConfirmation(context.keys, confirmation)}'
     FROM loans AS l JOIN loan_sendings AS s ON s.loan_id = l.id
     WHERE s.id = '${chosen.id}' AND s.status = 'OPEN' FOR NO KEY UPDATE ON CONFLICT DO NOTHING`,
  )
  return Promise.all([postSentLoans(context), postSentLoans(context)])
}
