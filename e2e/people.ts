/** The people of the story. */
export type Credentials = { readonly email: string; readonly password: string }

/** The super admin of the first start, from the configuration. */
export const SUPER_ADMIN: Credentials = { email: 'super@example.com', password: 'the pool is deep' }

/** A new person. */
export const newcomer = (): Credentials => ({
  email: `${crypto.randomUUID()}@example.com`,
  password: 'a quiet password',
})
