/** Invites to the staff, which super admins ask for as a change of access. */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import {
  countrySchema,
  emailSchema,
  firstNameSchema,
  lastNameSchema,
  passwordSchema,
} from '../base/fields.ts'

/** The roles of staff, which an invite may bring. */
export const staffRoles = ['ADMIN', 'AUDITOR', 'SUPER_ADMIN'] as const

/** Hours for which the link of an invite works. */
export const INVITE_HOURS = 72

/** A person who is invited. */
export const inviteeSchema = z.object({
  email: emailSchema,
  firstName: firstNameSchema,
  lastName: lastNameSchema,
  country: countrySchema,
  role: z.enum(staffRoles),
})

/** Opens the account of an invite with its first password. Starts no session. */
export const acceptInvite = {
  method: 'POST',
  path: '/api/v1/public/users/invite/accept',
  access: 'public',
  summary: `Open the account of an invite by its mailed link, which works once within ${INVITE_HOURS} hours`,
  payload: z.object({ token: z.string().max(200), newPassword: passwordSchema }),
  narration: 'Your account is open. Please sign in with your new password.',
  body: z.null(),
} as const satisfies Endpoint
