/** The end of the pool: what is left to pay, and in which order (docs/product.md 5.42). */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'

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

const windDownSchema = z.object({
  /** The moment since which the pool winds down. Null while it does not. */
  since: timestampSchema.nullable(),
  /** The moment at which the last investment matures. */
  lastMaturity: timestampSchema.nullable(),
  /** The moment from which balances do not hold back capital. */
  claimsUntil: timestampSchema.nullable(),
  /** Principal that works, and the interest promised for it. */
  invested: dollarsSchema,
  committed: dollarsSchema,
  /** Withdrawals that wait: asked for, and approved. */
  held: dollarsSchema,
  outgoing: dollarsSchema,
  /** Balances that are left, and the investors who have them. */
  available: dollarsSchema,
  holders: z.number().int(),
  /** The debt of all loans. */
  outstanding: dollarsSchema,
  /** The free reserve: the operator's, once nothing else is owed. */
  reserve: dollarsSchema,
  /** The sum that must be none before capital leaves. */
  owed: dollarsSchema,
  /** The operator's capital that came in since the beginning, and what left. */
  capital: dollarsSchema,
  taken: dollarsSchema,
  /** Repayments since 30 days before it began, which two people confirm before capital leaves. */
  repayments: repaymentsSchema,
})
export type WindDown = z.infer<typeof windDownSchema>

export const readWindDown = {
  method: 'GET',
  path: '/api/v1/admin/wind-down',
  access: 'staff',
  summary:
    'Show if the pool winds down, what it still owes to investors, and the capital of the operator, which leaves last',
  body: windDownSchema,
} as const satisfies Endpoint
