/** Debts of investors for credited deposits whose coins their network took back. */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'

/** Most claims in a list. */
export const CLAIMS_SIZE = 100

export const claimSchema = z.object({
  /** The deposit that was taken back, which names the claim, too. */
  depositId: idSchema,
  userId: idSchema,
  userEmail: z.string(),
  /** As the deposit had credited. */
  amount: dollarsSchema,
  /** Neither collected nor written off. */
  open: dollarsSchema,
  /** Paid by the reserve. */
  writtenOff: dollarsSchema,
  /** In English, what the product saw. */
  basis: z.string(),
  at: timestampSchema,
})
export type Claim = z.infer<typeof claimSchema>

export const listClaims = {
  method: 'GET',
  path: '/api/v1/admin/claims',
  access: 'staff',
  summary: `List the newest ${CLAIMS_SIZE} deposits that their network took back after they were credited, the open claims first`,
  body: z.array(claimSchema),
} as const satisfies Endpoint
