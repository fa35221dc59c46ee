/** The amounts up to which one member of staff decides alone, and how much of them is used. */
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { dollarsSchema } from './money.ts'

/** Decisions count for this many hours. */
export const LIMIT_WINDOW_HOURS = 24

/**
 * Whose limit a decision would exceed: the investor's, the approver's own, or that of the whole
 * pool.
 */
export const limitHolders = ['investor', 'approver', 'pool'] as const
export type LimitHolder = (typeof limitHolders)[number]

/**
 * In dollars. `decidedByYou` and `decidedByAll` are what was decided alone in the last {@link
 * LIMIT_WINDOW_HOURS}.
 */
export const approvalLimits = {
  method: 'GET',
  path: '/api/v1/admin/limits',
  access: 'staff',
  summary:
    'How much one person may confirm and approve alone in 24 hours, and how much of that is used; amounts in dollars',
  body: z.object({
    /** For each investor, and for each approver. */
    perPerson: dollarsSchema,
    /** For the whole pool. */
    perPool: dollarsSchema,
    decidedByYou: dollarsSchema,
    decidedByAll: dollarsSchema,
    /** How many people may decide: admins and super admins who are not suspended. */
    staff: z.number().int(),
  }),
} as const satisfies Endpoint
