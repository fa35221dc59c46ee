/** Proposals about the end of the pool, a part of contract/agreements/proposals.ts. */
import { z } from 'zod'
import { amountSchema } from '../base/fields.ts'
import { dollarsSchema } from '../base/money.ts'

export const windDownSchema = z.object({ kind: z.enum(['WIND_DOWN', 'END_WIND_DOWN']) })

/** Repayments named one by one, the largest first. The mark covers the others. */
export const NAMED_REPAYMENTS = 50

/** The repayments that both people say arrived (docs/product.md 5.42). */
export const repaymentsSchema = z.object({
  count: z.number().int().nonnegative(),
  amount: dollarsSchema,
  /** SHA-256 of their ids. It differs for any other set. */
  mark: z.string().regex(/^[0-9a-f]{64}$/),
  largest: z
    .array(z.object({ reference: z.string(), amount: dollarsSchema }))
    .max(NAMED_REPAYMENTS),
})

export const capitalSchema = z.object({
  kind: z.literal('WITHDRAW_CAPITAL'),
  /** Dollars of the reserve. None settles the books of a pool whose reserve is empty. */
  amount: z.union([z.literal(0), amountSchema]),
  /** As they were shown. Left out where there are none. */
  repayments: repaymentsSchema.optional(),
})
