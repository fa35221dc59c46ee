/** Proposals about the end of the pool, a part of contract/proposals.ts. */
import { z } from 'zod'
import { amountSchema } from './fields.ts'

export const windDownSchema = z.object({ kind: z.enum(['WIND_DOWN', 'END_WIND_DOWN']) })

export const capitalSchema = z.object({
  kind: z.literal('WITHDRAW_CAPITAL'),
  /** Dollars of the reserve. None settles the books of a pool whose reserve is empty. */
  amount: z.union([z.literal(0), amountSchema]),
})
