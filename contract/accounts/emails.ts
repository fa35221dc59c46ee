/** The email address of a user: its confirmation, and its change. */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { emailSchema, passwordSchema } from '../base/fields.ts'

/** Uses the link in a mail. A POST, because programs open links that they scan. */
export const confirmEmail = {
  method: 'POST',
  path: '/api/v1/public/users/email/confirm',
  access: 'public',
  summary:
    'Confirm an email address by a mailed link, or change it by one. A change ends all sessions; withdrawals are on hold for 24 hours',
  payload: z.object({ token: z.string().max(200) }),
  narration: ({ changed }: { readonly changed: boolean }) =>
    changed
      ? 'Your email address is changed. Please sign in with the new one.'
      : 'Your email address is confirmed.',
  body: z.object({
    email: z.string(),
    /** The link changed the address, and every session has ended. */
    changed: z.boolean(),
  }),
} as const satisfies Endpoint

export const askEmailLink = {
  method: 'POST',
  path: '/api/v1/user/email/confirmation',
  access: 'user',
  ownAccount: true,
  summary: "Mail a link that confirms the caller's email address",
  narration: 'An email with a link is on its way.',
  body: z.null(),
} as const satisfies Endpoint

/** Answers alike for an address of another account, whose owner is told by mail. */
export const changeEmail = {
  method: 'POST',
  path: '/api/v1/user/email',
  access: 'user',
  ownAccount: true,
  stepUp: true,
  summary: "Mail a link that changes the caller's email address to the new one",
  payload: z.object({ password: passwordSchema, email: emailSchema }),
  narration:
    'An email with a link is on its way to your new address. Your address changes once you have confirmed it there.',
  body: z.null(),
} as const satisfies Endpoint
