import { validation } from '@pool/contract/messages'
import { type Cents, dollarsFromCents } from '@pool/contract/money'
import { interestOn, leastEarning, planFor } from '@pool/contract/plans'
import { refusal } from '@pool/contract/refusals'
import type { Context } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Asker, Idempotency } from '../ledger/movement.ts'

export type InvestmentRequest = {
  readonly by: Asker
  readonly amount: Cents
  readonly durationDays: number
  readonly idempotency?: Idempotency | undefined
}

/**
 * Opens an investment, ACTIVE at once, and commits its interest from the reserve in the same step.
 * Throws `validation`, `earnsNothing`, `insufficientFunds` and `reserveExhausted`.
 */
export const openInvestment = async (
  { ledger, config, plans }: Pick<Context, 'ledger' | 'config' | 'plans'>,
  request: InvestmentRequest,
) => {
  const { by, amount: principal, durationDays, idempotency } = request
  const plan = planFor(plans, durationDays)
  if (!plan)
    throw refusal('validation', { message: validation.durationInvalid, field: 'durationDays' })

  const interest = interestOn(principal, plan)
  if (interest === 0n)
    throw refusal('earnsNothing', { least: dollarsFromCents(leastEarning(plan)) })
  const durationSeconds = durationDays * config.daySeconds
  const posted = await ledger.post({
    movement: 'investment_opened',
    by,
    idempotency,
    id: newId(),
    principal,
    interest,
    rateBasisPoints: plan.rateBasisPoints,
    durationDays,
    durationSeconds,
  })
  return {
    investmentId: posted.id,
    principal,
    interest,
    durationDays,
    maturesAt: new Date(posted.maturesAt ?? posted.at),
  }
}
