import { type Cents, cents } from '../base/money.ts'

export type Plan = {
  /** The term in investment days. */
  readonly durationDays: number
  /** Interest over the whole term, in basis points of the principal. */
  readonly rateBasisPoints: number
}

/** The most days of a plan. */
export const LONGEST_PLAN = 1_825
/** The most days that a plan may ask of the free reserve. */
export const MOST_LEAST_RUNWAY = 3_650
/** The most interest over a term, in basis points. */
export const MOST_RATE = 10_000

/** A version of a plan: also the bounds of a principal. */
export type PlanTerms = Plan & {
  readonly least: Cents
  /** Null without a bound. */
  readonly most: Cents | null
}

/**
 * Why a plan takes no investment now; the first that holds is told. Two people closed it, it is
 * full, or the free reserve is below the interest of a least investment or below its least runway.
 */
export const planClosings = ['closed', 'full', 'reserve', 'runway'] as const
export type PlanClosing = (typeof planClosings)[number]

/** A plan with the id of its version. A page of an older release has none. */
export type OfferedPlan = Plan & { readonly id?: string }

/**
 * The plans of the specification (docs/product.md 13), as the first versions that the database has.
 * Sent with an investment, the id holds the terms that a page shows before it was told others.
 */
export const defaultPlans = [
  { id: '00000000-0000-7000-8000-000000000001', durationDays: 1, rateBasisPoints: 400 },
  { id: '00000000-0000-7000-8000-000000000005', durationDays: 5, rateBasisPoints: 500 },
  { id: '00000000-0000-7000-8000-000000000012', durationDays: 12, rateBasisPoints: 700 },
] as const satisfies readonly OfferedPlan[]

/** The plan for a duration; undefined without one. */
export const planFor = <Of extends Plan>(
  plans: readonly Of[],
  durationDays: number,
): Of | undefined => plans.find((plan) => plan.durationDays === durationDays)

/** Basis points in a whole. */
const WHOLE = 10_000n

/** Interest in cents, rounded down once. Splitting an amount never earns more. */
export const interestOn = (principal: Cents, { rateBasisPoints }: Plan): Cents =>
  cents((principal * BigInt(rateBasisPoints)) / WHOLE)

/** The least principal, in cents, that earns a cent. */
export const leastEarning = ({ rateBasisPoints }: Plan): Cents =>
  cents((WHOLE + BigInt(rateBasisPoints) - 1n) / BigInt(rateBasisPoints))

/** The least principal of a plan that it takes and that earns, in cents. */
export const leastOf = (plan: PlanTerms): Cents => {
  const earning = leastEarning(plan)
  return plan.least > earning ? plan.least : earning
}

/**
 * A plan's interest repeated all year without compounding, in percent: 4% a day is 1460% a year.
 */
export const simpleYearlyRate = ({ rateBasisPoints, durationDays }: Plan): number =>
  ((rateBasisPoints / 100) * 365) / durationDays

/** The path of the plans that count. Pages without zod name it. */
export const PLANS_PATH = '/api/v1/public/plans'
