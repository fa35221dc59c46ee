/**
 * What can be paused, while everything else goes on: what was asked for before is decided about and
 * paid, and investments mature.
 */
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { textSchema } from './fields.ts'
import { validation } from './messages.ts'
import { timestampSchema } from './timestamp.ts'

/** New requests for a deposit or a withdrawal, and new investments. */
export const pauseNames = ['deposits', 'withdrawals', 'investing'] as const
export type PauseName = (typeof pauseNames)[number]

/** The most characters that the reason of a pause may have. */
export const LONGEST_REASON = 200

/** Since when, and why, something is paused. */
const pauseSchema = z.object({
  name: z.enum(pauseNames),
  since: timestampSchema,
  reason: z.string(),
})
export type Pause = z.infer<typeof pauseSchema>

export const listPauses = {
  method: 'GET',
  path: '/api/v1/public/pauses',
  access: 'public',
  summary: 'What is paused at this moment, since when and why; an empty list when everything runs',
  body: z.array(pauseSchema),
} as const satisfies Endpoint

const nameSchema = z.object({ name: z.enum(pauseNames, validation.pauseUnknown) })

export const pause = {
  method: 'PUT',
  path: '/api/v1/admin/pauses/{name}',
  access: 'superAdmin',
  summary:
    'Pause new deposits, withdrawals or investments; once answered, none is accepted any more. Everybody reads the reason',
  params: nameSchema,
  payload: z.object({ reason: textSchema(LONGEST_REASON).min(1, validation.reasonRequired) }),
  body: z.array(pauseSchema),
} as const satisfies Endpoint

export const resume = {
  method: 'DELETE',
  path: '/api/v1/admin/pauses/{name}',
  access: 'superAdmin',
  summary: 'Let what was paused go on',
  params: nameSchema,
  body: z.array(pauseSchema),
} as const satisfies Endpoint
