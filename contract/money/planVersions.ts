/** Versions of plans: what is on offer, and their history (docs/decisions/059). */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { amountSchema, durationDaysSchema } from '../base/fields.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'
import { LONGEST_PLAN, MOST_LEAST_RUNWAY, MOST_RATE, PLANS_PATH, planClosings } from './plans.ts'

/** A moment in UTC with milliseconds. Any other text stays as it came. */
const inUtc = (text: string): string => {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString()
}

/** The terms of a version, as super admins ask for them. Null is without a bound. */
export const planTermsSchema = z.object({
  durationDays: durationDaysSchema.max(LONGEST_PLAN, validation.planDays),
  rateBasisPoints: z
    .number({ error: () => validation.planRate })
    .int(validation.planRate)
    .min(1, validation.planRate)
    .max(MOST_RATE, validation.planRate),
  least: amountSchema,
  most: amountSchema.nullable(),
  /** The most principal at work in the plan at once. */
  capacity: amountSchema.nullable(),
  /** Closes it while the free reserve would last fewer days. Null without a bound. */
  leastRunway: z
    .number({ error: () => validation.planRunway })
    .int(validation.planRunway)
    .min(1, validation.planRunway)
    .max(MOST_LEAST_RUNWAY, validation.planRunway)
    .nullable()
    .default(null),
  isOpen: z.boolean(),
  /** The moment from which it counts, in ISO 8601 with a zone. */
  startsAt: z.iso.datetime({ offset: true, error: () => validation.planMoment }).overwrite(inUtc),
})
export type AskedPlan = z.infer<typeof planTermsSchema>

const terms = {
  durationDays: z.number().int(),
  /** Interest over the whole term. */
  rateBasisPoints: z.number().int(),
  least: dollarsSchema,
  most: dollarsSchema.nullable(),
}

const offerSchema = z.object({
  /** The version. Sent with an investment, it holds these terms. */
  id: idSchema,
  ...terms,
  /** The dollars that still fit in the plan. Null without a capacity. */
  left: dollarsSchema.nullable(),
  /** Why it takes no investment now, or null. */
  closed: z.enum(planClosings).nullable(),
})
export type PlanOffer = z.infer<typeof offerSchema>

export const listPlans = {
  method: 'GET',
  path: PLANS_PATH,
  access: 'public',
  summary:
    'List the plans that count now: their terms, what still fits, and why nobody can invest in a closed one',
  body: z.array(offerSchema),
} as const satisfies Endpoint

/** A version that comes, the one that counts, or one that another replaced. */
export const versionStates = ['coming', 'current', 'past'] as const

const versionSchema = z.object({
  id: idSchema,
  /** Counted from 1 for each plan, in order of their start. */
  version: z.number().int(),
  ...terms,
  capacity: dollarsSchema.nullable(),
  /** The days that the free reserve must last. Null without a bound. */
  leastRunway: z.number().int().nullable(),
  isOpen: z.boolean(),
  /** The moment from which it counts. Null for a first version of the product. */
  startsAt: timestampSchema.nullable(),
  state: z.enum(versionStates),
  /** Why the current one takes no investment now, or null. */
  closed: z.enum(planClosings).nullable(),
  /** The principal at work in the plan, by any version. */
  atWork: dollarsSchema,
  /** The people who asked and approved, and the reason. Null for a first version. */
  askedBy: z.string().nullable(),
  approvedBy: z.string().nullable(),
  reason: z.string().nullable(),
})
export type PlanVersion = z.infer<typeof versionSchema>

export const listPlanVersions = {
  method: 'GET',
  path: '/api/v1/admin/plans',
  access: 'superAdmin',
  summary:
    'List every version of every plan, newest first: its terms, its start, who asked and approved, and the principal at work. Super admins and auditors',
  body: z.array(versionSchema),
} as const satisfies Endpoint
