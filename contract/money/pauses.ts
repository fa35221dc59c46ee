/** Pauses stop new requests. Earlier requests are still decided, and investments still mature. */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { textSchema } from '../base/fields.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'

/** New deposits, new withdrawals and new investments. */
export const pauseNames = ['deposits', 'withdrawals', 'investing'] as const
export type PauseName = (typeof pauseNames)[number]

/** The most characters of a reason. */
export const LONGEST_REASON = 200

/** The reason of a pause by a break of the reconciliation. Screens have it in each language. */
export const BREAK_REASON =
  'A check found that coins on a network differ from our books. Withdrawals wait until people have looked at it.'

/**
 * The reason of the pauses while a loss of investors' principal is open. Screens have it in each
 * language.
 */
export const LOSS_REASON =
  'A loan was lost, and it is not decided yet who bears the loss. Investing and withdrawals wait until it is.'
export const pausedByLosses = ['investing', 'withdrawals'] as const satisfies readonly PauseName[]

/** The reason of the pauses while the pool winds down. Screens have it in each language. */
export const WIND_DOWN_REASON =
  'The pool is winding down. No new money is taken. Investments mature as promised, and every balance can be withdrawn to the last cent.'
export const pausedByWindDown = ['deposits', 'investing'] as const satisfies readonly PauseName[]

/** A pause, with its start and its reason. */
const pauseSchema = z.object({
  name: z.enum(pauseNames),
  since: timestampSchema,
  reason: z.string(),
  /** A pause by an open loss that all invested principal is to share: its sum and its moment. */
  sharing: z.object({ amount: dollarsSchema, countsAt: timestampSchema }).optional(),
})
export type Pause = z.infer<typeof pauseSchema>

export const listPauses = {
  method: 'GET',
  path: '/api/v1/public/pauses',
  access: 'public',
  summary: 'List the pauses, with their start and their reason',
  body: z.array(pauseSchema),
} as const satisfies Endpoint

const nameSchema = z.object({ name: z.enum(pauseNames, validation.pauseUnknown) })

export const pause = {
  method: 'PUT',
  path: '/api/v1/admin/pauses/{name}',
  access: 'superAdmin',
  stepUp: true,
  summary:
    'Pause new deposits, withdrawals or investments. None is accepted after the response. Everybody reads the reason',
  params: nameSchema,
  payload: z.object({ reason: textSchema(LONGEST_REASON).min(1, validation.reasonRequired) }),
  body: z.array(pauseSchema),
} as const satisfies Endpoint

export const resume = {
  method: 'DELETE',
  path: '/api/v1/admin/pauses/{name}',
  access: 'superAdmin',
  stepUp: true,
  summary: 'Resume new deposits, withdrawals or investments',
  params: nameSchema,
  body: z.array(pauseSchema),
} as const satisfies Endpoint
