import { createHash } from 'node:crypto'

/**
 * Digest of a password's hash, for entries: `audit:check` finds a password that was set past the
 * product. The hash has a salt, so the digest tells nothing of the password.
 */
export const passwordDigest = (passwordHash: string): string =>
  createHash('sha256').update(passwordHash).digest('hex').slice(0, 32)
