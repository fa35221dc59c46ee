import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import { Refusal, refusal } from '@pool/contract/base/refusals'
import * as validation from '@pool/contract/base/validation'
import { interestOn, leastOf, planFor } from '@pool/contract/money/plans'
import { newId } from '../../base/db/ids.ts'
import type { WithConfig, WithLedger, WithPlans } from '../../http/context.ts'
import type { KnownPlan } from '../../ledger/families/knownPlans.ts'
import type { Asker, Idempotency, Refused } from '../../ledger/families/movement.ts'

export type InvestmentRequest = {
  readonly by: Asker
  readonly amount: Cents
  readonly durationDays: number
  /** The version of the plan that its terms were shown of. Undefined takes the one that counts. */
  readonly planId?: string | undefined
  readonly idempotency?: Idempotency | undefined
}

type InvestingContext = WithLedger & WithConfig & WithPlans

/** Looks at the plans. A change between two of them is rare, between three hardly possible. */
const LOOKS = 3

/**
 * Opens an investment by the version of its plan that counts, and commits its interest. Throws
 * `validation`, `insufficientFunds`, `reserveExhausted` and the refusals of plans.
 */
export const openInvestment = async (means: InvestingContext, request: InvestmentRequest) => {
  for (let looks = LOOKS; ; looks -= 1) {
    const plan = planFor(await means.plans.inForce(), request.durationDays)
    try {
      return await open(means, request, plan)
    } catch (error) {
      if (looks === 1 || !(error instanceof Refusal) || !isAboutVersions(error, plan)) throw error
      await means.plans.refresh()
    }
  }
}

/** True if the process may know too old a version, or none. */
const isAboutVersions = ({ code }: Refusal, plan: KnownPlan | undefined): boolean =>
  plan === undefined || code === 'planChanged'

const open = async (
  { ledger, config }: InvestingContext,
  { by, amount: principal, durationDays, planId, idempotency }: InvestmentRequest,
  plan: KnownPlan | undefined,
) => {
  if (!plan)
    throw refusal('validation', { message: validation.durationInvalid, field: 'durationDays' })
  const durationSeconds = durationDays * config.daySeconds
  const posted = await ledger.post({
    movement: 'investment_opened',
    by,
    idempotency,
    id: newId(),
    principal,
    interest: interestOn(principal, plan),
    rateBasisPoints: plan.rateBasisPoints,
    durationDays,
    durationSeconds,
    planId: plan.id,
    least: leastOf(plan),
    isCapped: plan.isCapped,
    unmet: planId && planId !== plan.id ? { refused: 'planChanged' } : unmetBy(plan, principal),
  })
  return {
    investmentId: posted.id,
    principal,
    // A repeat has that of the first time, by the version of then.
    interest: cents(BigInt(posted.interest ?? interestOn(principal, plan))),
    durationDays,
    maturesAt: new Date(posted.maturesAt ?? posted.at),
  }
}

/** The refusal of a principal by the terms of a version. */
const unmetBy = (plan: KnownPlan, principal: Cents): Refused | undefined => {
  if (!plan.isOpen) return { refused: 'planClosed', reason: 'closed' }
  if (principal < plan.least) return { refused: 'belowLeast', least: dollarsFromCents(plan.least) }
  if (plan.most !== null && principal > plan.most)
    return { refused: 'aboveMost', most: dollarsFromCents(plan.most) }
  if (interestOn(principal, plan) === 0n)
    return { refused: 'earnsNothing', least: dollarsFromCents(leastOf(plan)) }
  return undefined
}
