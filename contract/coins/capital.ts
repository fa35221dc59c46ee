/** The operator's capital: what came in and left, and payments that may be capital. */
import { z } from 'zod'
import { coins } from '../base/assets.ts'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'

/** Most payments in the list. */
export const CAPITAL_SIZE = 100

const capitalSchema = z.object({
  /** Since the beginning. */
  putIn: dollarsSchema,
  takenOut: dollarsSchema,
  /** Networks that a node follows, where a payment is chosen and none is typed. */
  followed: z.array(z.string()),
  /** Confirmed payments of others to own addresses that are no capital yet, the newest first. */
  payments: z.array(
    z.object({
      id: idSchema,
      network: z.string(),
      /** The transaction, and its output if there are several. */
      evidence: z.string(),
      address: z.string(),
      asset: z.enum(coins),
      /** In whole coins, as exact decimals. */
      coins: z.string(),
      /** At the rate when it was seen, or the present one. Null where none counts. */
      dollars: dollarsSchema.nullable(),
      seenAt: timestampSchema,
    }),
  ),
})
export type Capital = z.infer<typeof capitalSchema>

export const readCapital = {
  method: 'GET',
  path: '/api/v1/admin/capital',
  access: 'staff',
  summary:
    "The operator's capital that came in and left, and the payments to own addresses that two super admins may book as capital",
  body: capitalSchema,
} as const satisfies Endpoint
