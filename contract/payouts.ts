/** Where an investor wants withdrawals to be paid that name no destination: what 'Default Address' means (spec §5). */
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { filledSchema } from './fields.ts'
import { succeeded } from './messages.ts'
import { timestampSchema } from './timestamp.ts'

/** How long a new payout address waits in live mode before it is used, in hours: time to notice that somebody else saved it. */
export const PAYOUT_ADDRESS_WAIT_HOURS = 24

const savedAddressSchema = z.object({
  address: z.string(),
  networkName: z.string(),
  savedAt: timestampSchema,
  /** From when on withdrawals are paid to it: at once in a sandbox, {@link PAYOUT_ADDRESS_WAIT_HOURS} later in live mode. */
  usableFrom: timestampSchema,
})

/** `current` is the one in use, null without any; `next` is one that was saved but still waits. */
const payoutAddressSchema = z.object({ current: savedAddressSchema.nullable(), next: savedAddressSchema.nullable() })
export type PayoutAddress = z.infer<typeof payoutAddressSchema>

export const payoutAddress = {
  method: 'GET',
  path: '/api/v1/user/payout-address',
  access: 'member',
  summary: "The caller's saved payout address, which a withdrawal to the Default Address is paid to",
  body: payoutAddressSchema,
} as const satisfies Endpoint

export const savePayoutAddress = {
  method: 'PUT',
  path: '/api/v1/user/payout-address',
  access: 'member',
  summary: 'Save the payout address; in live mode it is used 24 hours later, and until then the one before it',
  payload: z.object({ address: filledSchema, networkName: filledSchema }),
  narration: succeeded.payoutAddressSaved,
  body: payoutAddressSchema,
} as const satisfies Endpoint
