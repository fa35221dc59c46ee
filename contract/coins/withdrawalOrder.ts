/**
 * Staff take withdrawals oldest first, or state a reason (docs/product.md 5.40). They take one by
 * approving it, by marking it as sent, and in a batch.
 */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { textSchema } from '../base/fields.ts'

/** Older withdrawals are counted up to this number. */
export const MOST_OLDER = 1_000
/** Most withdrawals that are taken at once. */
export const MOST_TAKEN = 500

/** The reason to take a withdrawal before older ones. An empty one counts as none. */
export const outOfOrderReason = textSchema().optional()

export const takings = ['approve', 'send'] as const
export type Taking = (typeof takings)[number]

export const withdrawalOrder = {
  method: 'POST',
  path: '/api/v1/admin/withdrawals/order',
  access: 'staff',
  withoutStepUp: 'Reads alone: nothing is written.',
  summary: `Count the older withdrawals, up to ${MOST_OLDER}, that the caller could approve or send before these ones`,
  payload: z.object({
    taking: z.enum(takings),
    ids: z.array(idSchema).min(1).max(MOST_TAKEN),
  }),
  body: z.object({ passedOver: z.number().int() }),
} as const satisfies Endpoint

/** The parts of an audit entry that tell of older withdrawals. Empty where none was passed over. */
export const orderOnRecord = (passedOver: number, given: string | undefined) => {
  if (passedOver === 0) return { after: {}, reason: undefined }
  const reason = given || undefined
  return {
    after: { passedOver, ...(reason === undefined && { withoutReason: true }) },
    reason,
  }
}
