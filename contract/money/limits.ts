/** The amounts up to which one approver decides alone, and their use. */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'

/** The hours for which a decision counts. */
export const LIMIT_WINDOW_HOURS = 24

/** The owner of an exceeded limit: the investor, the approver, or the pool. */
export const limitHolders = ['investor', 'approver', 'pool'] as const
export type LimitHolder = (typeof limitHolders)[number]

/**
 * Why an act takes two people: above a limit, by a value date of more than three days ago, or
 * without a payment that the operator's node shows.
 */
export type TakesTwo = LimitHolder | 'oldDay' | 'unseen'

/** In dollars. The two `decidedBy` figures sum up decisions of one person within the window. */
export const approvalLimits = {
  method: 'GET',
  path: '/api/v1/admin/limits',
  access: 'staff',
  summary: 'The dollars that one person may confirm and approve alone in 24 hours, and their use',
  body: z.object({
    /** The limit of each investor and of each approver. */
    perPerson: dollarsSchema,
    /** The limit of the whole pool. */
    perPool: dollarsSchema,
    decidedByYou: dollarsSchema,
    decidedByAll: dollarsSchema,
    /** The number of admins and super admins who are not suspended. */
    staff: z.number().int(),
  }),
} as const satisfies Endpoint
