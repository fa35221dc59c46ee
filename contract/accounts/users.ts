import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import {
  emailSchema,
  firstNameSchema,
  lastNameSchema,
  passwordSchema,
  textSchema,
} from '../base/fields.ts'
import { listQuery, mayLag } from '../base/lists.ts'
import { succeeded } from '../base/messages.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'
import { factorAnswerSchema, passkeyResponseSchema } from './factors.ts'

/** The country that registration sends (docs/product.md 13). */
export const REGISTRATION_COUNTRY = 'US'
/** The only role that registration accepts (docs/product.md 9.2). */
export const REGISTRATION_ROLE = 'USER'

/** The roles, as stored and as sent (docs/product.md 2.1). */
export const roleTypes = ['USER', 'ADMIN', 'AUDITOR', 'SUPER_ADMIN'] as const
export type RoleType = (typeof roleTypes)[number]
export const roleSchema = z.object({ type: z.enum(roleTypes) })

/** The role, as the interface names it (docs/product.md 2.2). */
export type Role = 'client' | 'admin' | 'AUDITOR' | 'SUPER_ADMIN'

/** AUDITOR wins, since it only reads, then the highest role (docs/product.md 2.2). */
export const roleFrom = (roles: readonly { readonly type: string }[]): Role => {
  const has = (type: RoleType) => roles.some((role) => role.type === type)
  if (has('AUDITOR')) return 'AUDITOR'
  if (has('SUPER_ADMIN')) return 'SUPER_ADMIN'
  return has('ADMIN') ? 'admin' : 'client'
}

/** The server's record of a user (docs/product.md 10.4). */
export const userSchema = z.object({
  id: idSchema,
  username: z.string(),
  detail: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
  roles: z.array(roleSchema),
  dateCreated: timestampSchema,
  lastUpdated: timestampSchema,
  /** The user cannot sign in until the operator resumes the account. */
  suspended: z.boolean(),
  /** Its owner closed the account, for good. Names and email are gone. */
  closed: z.boolean(),
})
export type User = z.infer<typeof userSchema>

/** The caller's own record. */
export const ownUserSchema = userSchema.extend({
  /** Withdrawals can be requested from this moment. Null outside a cooldown. */
  withdrawalsRestUntil: timestampSchema.nullable(),
  /** The debt for deposits that were taken back. Withdrawals wait meanwhile. */
  owes: dollarsSchema,
  /** The owner froze the account by a mailed link. Staff have no rights meanwhile. */
  frozen: z.boolean(),
  /** Live mode refuses withdrawals before. */
  emailConfirmed: z.boolean(),
})
export type OwnUser = z.infer<typeof ownUserSchema>

const signedInSchema = z.object({
  token: z.string(),
  userId: idSchema,
  username: z.string(),
  roles: z.array(roleSchema),
})

/**
 * Signs in. The username is the email. With the right password of a user who has second factors it
 * answers `factorRequired`, and the same call with the factor's answer succeeds.
 */
export const login = {
  method: 'POST',
  path: '/api/v1/public/users/login',
  access: 'public',
  summary: 'Sign in',
  payload: z.object({
    username: emailSchema,
    password: passwordSchema,
    factor: factorAnswerSchema.optional(),
  }),
  body: signedInSchema,
} as const satisfies Endpoint

/** Signs in by a passkey that knows its owner, without email and password. */
export const passkeySignIn = {
  method: 'POST',
  path: '/api/v1/public/users/login/passkey',
  access: 'public',
  summary: 'Sign in by a passkey alone',
  payload: z.object({ response: passkeyResponseSchema }),
  body: signedInSchema,
} as const satisfies Endpoint

/**
 * Creates an ordinary account. Its token is empty: registration does not sign in (docs/product.md
 * 9.2).
 */
export const register = {
  method: 'POST',
  path: '/api/v1/public/users/register/user',
  access: 'public',
  summary: 'Create an ordinary account',
  query: z.object({ role: z.literal(REGISTRATION_ROLE, validation.roleNotAllowed).optional() }),
  payload: z.object({
    username: emailSchema,
    password: passwordSchema,
    country: textSchema(2).default(REGISTRATION_COUNTRY),
    detail: z.object({ firstName: firstNameSchema, lastName: lastNameSchema, email: emailSchema }),
  }),
  narration: succeeded.register,
  body: z.object({ token: z.literal(''), userId: idSchema, username: z.string() }),
} as const satisfies Endpoint

/** Looks up the session's user again (docs/product.md 8.5). */
export const currentUser = {
  method: 'GET',
  path: '/api/v1/user',
  access: 'user',
  withoutFactor: true,
  summary: 'Look up the signed-in user',
  query: z.object({ username: emailSchema }),
  body: ownUserSchema,
} as const satisfies Endpoint

/** Ends the calling session. The web app clears its storage without waiting. */
export const logout = {
  method: 'POST',
  path: '/api/v1/user/logout',
  access: 'user',
  whileFrozen: true,
  ownAccount: true,
  withoutFactor: true,
  summary: "End the caller's session and its token",
  body: z.null(),
} as const satisfies Endpoint

/** Mails a link for a new password. Answers alike for every email. */
export const forgotPassword = {
  method: 'POST',
  path: '/api/v1/public/users/password/forgot',
  access: 'public',
  summary: 'Mail a link for a new password to the user with this email, if there is one',
  payload: z.object({ username: emailSchema }),
  narration: 'If there is an account with this email, a link is on its way.',
  body: z.null(),
} as const satisfies Endpoint

/** 256 bits in base64url. */
const tokenSchema = z.string().max(200)

/** Sets a new password by a mailed link. Starts no session. */
export const resetPassword = {
  method: 'POST',
  path: '/api/v1/public/users/password/reset',
  access: 'public',
  summary:
    'Set a new password by a mailed link. Ends all sessions; withdrawals are on hold for 24 hours',
  payload: z.object({ token: tokenSchema, newPassword: passwordSchema }),
  narration: 'Your new password is saved. Please sign in with it.',
  body: z.null(),
} as const satisfies Endpoint

/**
 * Ends every session and starts one for the caller, which shuts out a thief (docs/threats.md T4).
 */
export const changePassword = {
  method: 'PUT',
  path: '/api/v1/user/password',
  access: 'user',
  ownAccount: true,
  stepUp: true,
  summary: "Change the caller's password. Ends all of their sessions and starts a new one",
  payload: z.object({ password: passwordSchema, newPassword: passwordSchema }),
  narration: succeeded.passwordChanged,
  body: z.object({ token: z.string() }),
} as const satisfies Endpoint

const lists = { sorts: ['createdAt', 'name'], filters: { role: roleTypes } } as const

/**
 * `search` finds a part of the email or name, or an id. Names sort by first name, then last name.
 */
export const listUsers = {
  method: 'GET',
  path: '/api/v1/public/users',
  access: 'superAdmin',
  summary: 'List all users, newest first by default',
  query: listQuery(lists).extend({ mayLag }),
  paged: lists,
  lags: true,
  body: z.array(userSchema),
} as const satisfies Endpoint
