import { defaultPlans, type Plan } from '@pool/contract/plans'
import { configuration } from './configuration.ts'

const read = (): readonly Plan[] => {
  try {
    return JSON.parse(configuration().plans) as readonly Plan[]
  } catch {
    // An unreplaced mark, as in prerendering.
    return defaultPlans
  }
}

let plans: readonly Plan[] | null = null

/** The plans that the server offers. Prerendering gets the default ones. */
export const offeredPlans = (): readonly Plan[] => {
  plans ??= read()
  return plans
}
