/**
 * Figures computed from the rows that they sum up. Days and months are UTC, oldest first, without
 * gaps; amounts in dollars.
 */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'
import { daySchema, monthSchema } from '../base/timestamp.ts'

/** The days of daily figures, today included. */
export const FIGURE_DAYS = 90
/** The months of monthly figures, this month included. */
export const FIGURE_MONTHS = 12

export const userFigures = {
  method: 'GET',
  path: '/api/v1/user/figures',
  access: 'user',
  summary:
    "The caller's money outside the balance, its total value by day from the first deposit on, and the interest of the last 12 months",
  body: z.object({
    /** The principal of active investments. */
    invested: dollarsSchema,
    /** The interest that active investments will pay. */
    interestToCome: dollarsSchema,
    /** The amount that pending withdrawals hold. */
    held: dollarsSchema,
    /** The amount of approved withdrawals that are not completed yet. */
    onTheWay: dollarsSchema,
    /** The amount of pending deposits. */
    depositsToCome: dollarsSchema,
    /**
     * Balance, principal, held amounts and amounts on the way at the end of each day. Interest
     * counts from its payment on. Begins with the first confirmed deposit.
     */
    totals: z.array(z.object({ day: daySchema, total: dollarsSchema })),
    /** Interest by the month in which it was credited. */
    interest: z.array(z.object({ month: monthSchema, amount: dollarsSchema })),
  }),
} as const satisfies Endpoint
export type UserFigures = z.infer<typeof userFigures.body>

export const adminFigures = {
  method: 'GET',
  path: '/api/v1/admin/figures',
  access: 'staff',
  summary:
    'Confirmed deposits, approved withdrawals and principal at work by day, for the last 90 days, and the sum of the withdrawals that are approved and not completed yet',
  body: z.object({
    days: z.array(
      z.object({
        day: daySchema,
        deposits: dollarsSchema,
        withdrawals: dollarsSchema,
        atWork: dollarsSchema,
      }),
    ),
    /** The ledger's account `outgoing`. */
    onTheWay: dollarsSchema,
  }),
} as const satisfies Endpoint
export type AdminFigures = z.infer<typeof adminFigures.body>

/** Public figures of the pool. */
export const poolFigures = {
  method: 'GET',
  path: '/api/v1/public/pool',
  access: 'public',
  summary:
    'The pool now: principal at work, interest paid, free reserve, committed interest, and the share of it in the ledger',
  maxAgeSeconds: 10,
  body: z.object({
    moneyAtWork: dollarsSchema,
    interestPaid: dollarsSchema,
    /** The reserve that is not committed. */
    reserve: dollarsSchema,
    /** The interest of the active investments. */
    committedInterest: dollarsSchema,
    /** The amount set aside in the ledger, divided by the committed interest; 1 when that is 0. */
    coverage: z.number(),
  }),
} as const satisfies Endpoint
export type PoolFigures = z.infer<typeof poolFigures.body>
