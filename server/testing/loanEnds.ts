import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import {
  askDefault,
  askRecovery,
  askRestructuring,
  askWriteOff,
} from '../agreements/proposals/askForLateLoans.ts'
import { readLoan } from '../lending/loans/terms.ts'
import { approveTwice } from './approveTwice.ts'
import { newReference } from './loanDesk.ts'
import { dayFrom } from './loans.ts'
import { actAs, type Person } from './product.ts'

type Ending = { readonly place: number } & (
  | { readonly verb: 'default' | 'writeOff' | 'restructure' }
  | { readonly verb: 'recover'; readonly amount: Cents }
)

type EndingContext = Parameters<typeof askDefault>[0]

const askToEnd = async (
  context: EndingContext,
  asking: Parameters<typeof askDefault>[1],
  ending: Ending,
) => {
  const { verb } = ending
  if (verb === 'recover')
    return askRecovery(context, asking, {
      amount: dollarsFromCents(ending.amount),
      valueOn: dayFrom(0),
      reference: newReference(),
    })
  if (verb === 'default') return askDefault(context, asking, 'Insolvent')
  if (verb === 'restructure')
    return askRestructuring(context, asking, {
      reason: 'Illness',
      isDistressed: true,
      rateBasisPoints: 500,
      schedule: 'annuity',
      period: 'weekly',
      dayCount: 'act365',
      instalments: 1,
      dueDay: 1,
      firstDueOn: dayFrom(7),
    })
  const { outstanding } = await readLoan(context.db, asking.loanId)
  const amount = dollarsFromCents(cents(outstanding))
  return askWriteOff(context, asking, { reason: 'Lost', amount })
}

/** Two people put a loan in default, write it off, recover a part, or give it new terms. */
export const endLoan = async (
  context: EndingContext,
  ending: Ending,
  ids: readonly string[],
  [asker, decider]: readonly Person[],
) => {
  const loanId = ids[ending.place % Math.max(ids.length, 1)]
  if (loanId === undefined || !asker || !decider) return undefined
  const asking = { by: actAs(asker), language: 'en', loanId } as const
  const { proposalId } = await askToEnd(context, asking, ending)
  return approveTwice(context, { id: proposalId, by: actAs(decider) })
}
