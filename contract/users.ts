import { z } from 'zod'
import { type Endpoint, idSchema } from './endpoint.ts'
import {
  emailSchema,
  firstNameSchema,
  lastNameSchema,
  passwordSchema,
  textSchema,
} from './fields.ts'
import { listQuery } from './lists.ts'
import { succeeded, validation } from './messages.ts'
import { timestampSchema } from './timestamp.ts'

/** The country that registration sends (docs/product.md 13). */
export const REGISTRATION_COUNTRY = 'US'
/** The only role that registration accepts (docs/product.md 9.2). */
export const REGISTRATION_ROLE = 'USER'

/** The roles, as stored and as sent (docs/product.md 2.1). */
export const roleTypes = ['USER', 'ADMIN', 'SUPER_ADMIN'] as const
export type RoleType = (typeof roleTypes)[number]
export const roleSchema = z.object({ type: z.enum(roleTypes) })

/** The role, as the interface names it (docs/product.md 2.2). */
export type Role = 'client' | 'admin' | 'SUPER_ADMIN'

/** The highest role wins (docs/product.md 2.2). */
export const roleFrom = (roles: readonly { readonly type: string }[]): Role => {
  const has = (type: RoleType) => roles.some((role) => role.type === type)
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
})
export type User = z.infer<typeof userSchema>

/** Signs in. The username is the email. */
export const login = {
  method: 'POST',
  path: '/api/v1/public/users/login',
  access: 'public',
  summary: 'Sign in',
  payload: z.object({ username: emailSchema, password: passwordSchema }),
  body: z.object({
    token: z.string(),
    userId: idSchema,
    username: z.string(),
    roles: z.array(roleSchema),
  }),
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
  summary: 'Look up the signed-in user',
  query: z.object({ username: emailSchema }),
  body: userSchema,
} as const satisfies Endpoint

/** Ends the calling session. The web app clears its storage without waiting. */
export const logout = {
  method: 'POST',
  path: '/api/v1/user/logout',
  access: 'user',
  summary: "End the caller's session and its token",
  body: z.null(),
} as const satisfies Endpoint

/**
 * Ends every session and starts one for the caller, which shuts out a thief (docs/threats.md T4).
 */
export const changePassword = {
  method: 'PUT',
  path: '/api/v1/user/password',
  access: 'user',
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
  query: listQuery(lists),
  paged: lists,
  body: z.array(userSchema),
} as const satisfies Endpoint
