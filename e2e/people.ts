import type { RoleType } from '@pool/contract/accounts/users'

/** The people of the tests. */
export type Credentials = { readonly email: string; readonly password: string }

/** The super admin of the first start, from the configuration. */
export const SUPER_ADMIN: Credentials = { email: 'super@example.com', password: 'the pool is deep' }

/** The password of everybody else, and its hash, made once because hashing is slow. */
export const PASSWORD = 'a quiet password'
export const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$L+hTCqgslunlvErI2Z1D4A$zXAUSLsJccC4YXWVsOa4yO9BiUK6a8RovdVfxTXWS7c'

/** A new person. */
export const newcomer = (): Credentials => ({
  email: `${crypto.randomUUID()}@example.com`,
  password: PASSWORD,
})

/** A session as the response to a sign-in has it. */
export type Session = {
  readonly token: string
  readonly userId: string
  readonly username: string
  readonly roles: readonly { readonly type: RoleType }[]
}
