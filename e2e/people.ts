/** Who takes part in the story. */
export type Credentials = { readonly email: string; readonly password: string }

/** Made at first start, from the configuration. */
export const SUPER_ADMIN: Credentials = { email: 'super@example.com', password: 'the pool is deep' }

/** Someone new. */
export const newcomer = (): Credentials => ({
  email: `${crypto.randomUUID()}@example.com`,
  password: 'a quiet password',
})
