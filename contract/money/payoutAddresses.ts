/** The payout address receives withdrawals to the 'Default Address' (docs/product.md 7.6). */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { filledSchema, textSchema } from '../base/fields.ts'
import { succeeded } from '../base/messages.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'

/** The hours for which a newly named address waits in live mode. */
export const PAYOUT_ADDRESS_WAIT_HOURS = 24

/** Most characters of a label. */
export const LABEL_LENGTH = 40

const savedAddressSchema = z.object({
  address: z.string(),
  networkName: z.string(),
  /** The owner's own name for it. */
  label: z.string().nullable(),
  savedAt: timestampSchema,
  /**
   * The start of its use: in live mode {@link PAYOUT_ADDRESS_WAIT_HOURS} after it was first named.
   */
  usableFrom: timestampSchema,
})

/** `current` is in use. `next` is saved and still waits. */
const payoutAddressSchema = z.object({
  current: savedAddressSchema.nullable(),
  next: savedAddressSchema.nullable(),
})
export type PayoutAddress = z.infer<typeof payoutAddressSchema>

export const payoutAddress = {
  method: 'GET',
  path: '/api/v1/user/payout-address',
  access: 'user',
  summary: "The caller's payout address, which receives withdrawals to the Default Address",
  body: payoutAddressSchema,
} as const satisfies Endpoint

export const savePayoutAddress = {
  method: 'PUT',
  path: '/api/v1/user/payout-address',
  access: 'user',
  stepUp: true,
  summary:
    'Save the payout address. Live mode uses it 24 hours after it was first named, and the one before it until then',
  payload: z.object({
    address: filledSchema,
    networkName: filledSchema,
    /** The owner's own name for it. */
    label: textSchema(LABEL_LENGTH, validation.labelMaximum).optional(),
  }),
  narration: succeeded.payoutAddressSaved,
  body: payoutAddressSchema,
} as const satisfies Endpoint
