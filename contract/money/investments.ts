import { z } from 'zod'
import { type Endpoint, idSchema, ownerSchema } from '../base/endpoint.ts'
import { amountSchema, durationDaysSchema } from '../base/fields.ts'
import { listQuery, mayLag } from '../base/lists.ts'
import { dollarsSchema } from '../base/money.ts'
import { daySchema, timestampSchema } from '../base/timestamp.ts'

/**
 * Every status that a screen may meet (docs/product.md 6.4). The server writes ACTIVE and
 * COMPLETED.
 */
export const investmentStatuses = [
  'PENDING',
  'ACTIVE',
  'APPROVED',
  'REJECTED',
  'COMPLETED',
  'PROCESSING',
] as const
export type InvestmentStatus = (typeof investmentStatuses)[number]

const common = {
  id: idSchema,
  investmentId: idSchema,
  userId: idSchema,
  userName: z.string(),
  userEmail: z.string(),
  type: z.literal('investment'),
  /** The principal, in dollars. */
  amount: dollarsSchema,
  /**
   * The interest, in dollars. `returnAmount` is the same figure for clients that read that name
   * (docs/product.md 10.6).
   */
  interest: dollarsSchema,
  returnAmount: dollarsSchema,
  /** The part of the principal that shared losses took. It is not paid at maturity. */
  borne: dollarsSchema.optional(),
  durationDays: z.number().int(),
  /** Interest over the whole term, in basis points, as fixed at the start. */
  rateBasisPoints: z.number().int().optional(),
  status: z.enum(investmentStatuses),
  description: z.string(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
}

/** An investment in its owner's list. */
export const investmentSchema = z.object({ ...common, maturityDate: timestampSchema })
export type Investment = z.infer<typeof investmentSchema>

/** An investment in the admin list. Its maturity is a calendar day (docs/product.md 10.3). */
export const adminInvestmentSchema = z.object({ ...common, maturityDate: daySchema })
export type AdminInvestment = z.infer<typeof adminInvestmentSchema>

export const invest = {
  method: 'POST',
  path: '/api/v1/public/investments/invest',
  access: 'user',
  summary:
    'Invest from the balance at the fixed interest of a plan, rounded down to the cent. Refuses an amount that would earn nothing, a closed plan, and terms that have changed since `planId` was shown',
  payload: z.object({
    userId: idSchema,
    amount: amountSchema,
    durationDays: durationDaysSchema,
    /** The version of the plan whose terms were shown. Refused once another one counts. */
    planId: idSchema.optional(),
  }),
  body: z.object({
    investmentId: idSchema,
    amount: dollarsSchema,
    interest: dollarsSchema,
    returnAmount: dollarsSchema,
    durationDays: z.number().int(),
    status: z.literal('ACTIVE'),
    maturityDate: timestampSchema,
  }),
  movesMoney: true,
} as const satisfies Endpoint

const lists = {
  sorts: ['createdAt', 'maturityDate', 'amount', 'interest'],
  filters: { status: investmentStatuses },
} as const

/** `search` finds a part of the owner's email or name, or the id of an investment. */
const investmentQuery = listQuery(lists)

export const listAllInvestments = {
  method: 'GET',
  path: '/api/v1/public/investments/get-all',
  access: 'staff',
  summary: 'List all investments, newest first by default',
  query: investmentQuery.extend({ userId: ownerSchema, mayLag }),
  paged: lists,
  lags: true,
  body: z.array(adminInvestmentSchema),
} as const satisfies Endpoint

export const listInvestments = {
  method: 'GET',
  path: '/api/v1/public/investments/{userId}',
  access: 'user',
  forReadingKeys: true,
  summary: "List the caller's investments, newest first by default",
  params: z.object({ userId: idSchema }),
  query: investmentQuery,
  paged: lists,
  body: z.array(investmentSchema),
} as const satisfies Endpoint

export const checkMaturities = {
  method: 'POST',
  path: '/api/v1/public/investments/check-maturities',
  access: 'staff',
  withoutStepUp: 'It pays what is due to its owners, as the job does each minute.',
  summary: 'Pay every matured investment. Answers with their number and the dollars paid',
  body: z.object({ matured: z.number().int(), paid: dollarsSchema }),
} as const satisfies Endpoint
