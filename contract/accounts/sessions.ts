/** The sessions of a user, and the freezing of an account. */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { timestampSchema } from '../base/timestamp.ts'

/** A browser and its system, as far as they are known. */
export const deviceSchema = z.object({
  browser: z.string().nullable(),
  system: z.string().nullable(),
})
export type Device = z.infer<typeof deviceSchema>

export const ownSessionSchema = z.object({
  id: idSchema,
  /** The session of this call. */
  current: z.boolean(),
  device: deviceSchema,
  /** The IP address of the sign-in. Empty where none is known. */
  ip: z.string(),
  startedAt: timestampSchema,
  /** Recorded every 30 seconds of use. */
  lastUsedAt: timestampSchema,
})
export type OwnSession = z.infer<typeof ownSessionSchema>

export const listSessions = {
  method: 'GET',
  path: '/api/v1/user/sessions',
  access: 'user',
  summary: "List the caller's living sessions, the one of this call first",
  body: z.array(ownSessionSchema),
} as const satisfies Endpoint

export const endSession = {
  method: 'DELETE',
  path: '/api/v1/user/sessions/{id}',
  access: 'user',
  whileFrozen: true,
  ownAccount: true,
  summary: 'End a session of the caller',
  params: z.object({ id: idSchema }),
  body: z.null(),
} as const satisfies Endpoint

export const endOtherSessions = {
  method: 'POST',
  path: '/api/v1/user/sessions/end-others',
  access: 'user',
  whileFrozen: true,
  ownAccount: true,
  summary:
    "End every session of the caller but this call's, with what they made: open changes, payout addresses that wait, and the keys for reading unless `readingKeys` is false",
  payload: z.object({ readingKeys: z.boolean() }).nullish(),
  body: z.object({ ended: z.number().int() }),
} as const satisfies Endpoint

/** Freezes by the link in a mail. A POST, because programs open links that they scan. */
export const freezeAccount = {
  method: 'POST',
  path: '/api/v1/public/users/freeze',
  access: 'public',
  summary:
    'Freeze an account by a mailed link. Ends all sessions; calls that write are refused until its owner lifts it, but for a few',
  payload: z.object({ token: z.string().max(200) }),
  narration: 'Your account is frozen, and every device is signed out.',
  body: z.null(),
} as const satisfies Endpoint
