/** The pool after a part of its loans defaulted at once (docs/product.md 5.30). */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'
import * as validation from '../base/validation.ts'

/** The percent of a stress that names none. */
export const USUAL_STRESS = 20

export const readStress = {
  method: 'GET',
  path: '/api/v1/admin/stress',
  access: 'superAdmin',
  summary:
    'What the pool covers if so many percent of the outstanding default at once and nothing comes back',
  query: z.object({
    percent: z.coerce
      .number(validation.percentInvalid)
      .int(validation.percentInvalid)
      .min(0, validation.percentInvalid)
      .max(100, validation.percentInvalid)
      .default(USUAL_STRESS)
      .describe('Whole percent from 0 to 100.'),
  }),
  body: z.object({
    percent: z.number().int(),
    outstanding: dollarsSchema,
    loss: dollarsSchema,
    /** Investors' principal in loans. Of its loss, what the reserve bears and what it does not. */
    lent: dollarsSchema,
    covered: dollarsSchema,
    lost: dollarsSchema,
    /** Basis points of the invested principal that the unborne loss comes to. */
    share: z.number().int(),
    /** The least percent that the free reserve does not bear. Null while it bears all. */
    lostFrom: z.number().int().nullable(),
    /** The free reserve. */
    reserve: dollarsSchema,
    committed: dollarsSchema,
    /** The operator's capital after the loss. */
    capital: dollarsSchema,
    /** Principal that the free reserve still backs in each plan. */
    plans: z.array(
      z.object({
        durationDays: z.number().int(),
        rateBasisPoints: z.number().int(),
        principal: dollarsSchema,
      }),
    ),
    /** Sums since today. `left` is what the pool has on that day beyond what it owes. */
    days: z.array(
      z.object({
        day: z.number().int(),
        coins: dollarsSchema,
        received: dollarsSchema,
        owed: dollarsSchema,
        left: dollarsSchema,
      }),
    ),
  }),
} as const satisfies Endpoint
export type StressBody = z.infer<typeof readStress.body>
