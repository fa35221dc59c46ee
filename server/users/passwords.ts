import { hash, verify } from '@node-rs/argon2'

// argon2id with 19 MiB, two passes and one lane: the parameters that OWASP recommends.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** The argon2id hash of a password, with its own salt and parameters in it. */
export const hashPassword = (password: string): Promise<string> => hash(password, parameters)

let hashOfNobody: Promise<string> | undefined

/**
 * Whether a password belongs to a stored hash. Without a hash (no such account) it does the same work and says no, so that the time
 * of the answer does not tell whether an account exists.
 */
export const passwordMatches = async (passwordHash: string | undefined, password: string): Promise<boolean> => {
  hashOfNobody ??= hashPassword('no account has this hash')
  const matches = await verify(passwordHash ?? (await hashOfNobody), password)
  return matches && passwordHash !== undefined
}
