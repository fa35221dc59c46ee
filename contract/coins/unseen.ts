/** Coins that arrived and that no payment shows, found by comparing balances. */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { textSchema } from '../base/fields.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'

/** Most arrivals in a list. */
export const UNSEEN_SIZE = 100
const unseenSchema = z.object({
  id: idSchema,
  network: z.string(),
  address: z.string(),
  /** Null while the address has no investor. */
  userId: idSchema.nullable(),
  asset: z.string(),
  /** At least so much, in whole coins or tokens, as exact decimals. */
  amount: z.string(),
  /** It arrived above this block, and up to `height`. */
  above: z.number().int(),
  height: z.number().int(),
  foundAt: timestampSchema,
  /** Null while staff have not settled it. */
  settledAt: timestampSchema.nullable(),
  /** The email of the person who settled it. Null before, and of a closed account. */
  settledBy: z.string().nullable(),
  reason: z.string().nullable(),
})
export type UnseenArrival = z.infer<typeof unseenSchema>

const UNSEEN = '/api/v1/admin/unseen-arrivals'

export const listUnseen = {
  method: 'GET',
  path: UNSEEN,
  access: 'staff',
  summary: `List coins by which the balance of an address grew beyond its payments, the ${UNSEEN_SIZE} newest, those that wait for staff first`,
  body: z.array(unseenSchema),
} as const satisfies Endpoint

export const settleUnseen = {
  method: 'POST',
  path: `${UNSEEN}/{id}/settle`,
  access: 'staff',
  stepUp: true,
  summary: 'Settle coins that arrived unseen, with what was done about them. Moves no money',
  params: z.object({ id: idSchema }),
  payload: z.object({ reason: textSchema().min(1, validation.reasonRequired) }),
  narration: 'Settled.',
  body: z.null(),
} as const satisfies Endpoint
