import { defaultPlans, type OfferedPlan } from '@pool/contract/money/plans'
import { configuration } from './configuration.ts'

const read = (): readonly OfferedPlan[] => {
  try {
    return JSON.parse(configuration().plans) as readonly OfferedPlan[]
  } catch {
    // An unreplaced mark, as in prerendering.
    return defaultPlans
  }
}

let plans: readonly OfferedPlan[] | null = null

/** The plans that the server offers. Prerendering gets the default ones. */
export const offeredPlans = (): readonly OfferedPlan[] => {
  plans ??= read()
  return plans
}
