import { base32nopad } from '@scure/base'
import { codeAt, stepAt } from '../accounts/factors/totp.ts'

/** An authenticator app of a test. */
export type App = {
  /** The code at this many steps from now. */
  readonly code: (steps?: number) => string
}

/** An app with this secret in base32. */
export const appWith = (secret: string): App => {
  const bytes = Buffer.from(base32nopad.decode(secret))
  return { code: (steps = 0) => codeAt(bytes, stepAt(Date.now() / 1_000) + steps) }
}
