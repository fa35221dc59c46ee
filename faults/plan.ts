/** A person who signs in, again after each end of a session. */
export type Person = {
  readonly userId: string
  readonly username: string
  readonly password: string
  readonly token: string
}

/** The load's task, on its standard input. */
export type LoadPlan = {
  /** The products to call, any of them at any time. */
  readonly urls: readonly string[]
  /** The file for outcomes, one line of JSON each. */
  readonly file: string
  readonly seed: number
  readonly people: readonly Person[]
  readonly admin: Person
  /** Signs out and in, and changes the password, repeatedly. */
  readonly leaver: Person
  /** Becomes an admin and loses the role, repeatedly. */
  readonly deputy: Person
  /** The URL of the database to grant and revoke roles in, as the operator's command does. */
  readonly database: string
  /** The directory of the signing keys. */
  readonly dataDir: string
  /** True to send every acknowledged operation twice. */
  readonly repeatAll: boolean
  /** Nodes that each key is repeated at after the stop. */
  readonly repeatAt?: readonly string[]
  /** The milliseconds of retries for unknown operations after the stop. */
  readonly retryForMs: number
  /** The milliseconds between two operations of an investor, at most. None without it. */
  readonly pauseMs?: number
}

/** The amount of each deposit and withdrawal, in cents. */
export const REQUESTED = 10_00n

/** Operations about money. The gaps between their acknowledgements are the cost of a fault. */
export const MONEY = ['withdrawal', 'deposit', 'investment', 'decision'] as const
/** All kinds of operations. */
export const KINDS = [
  ...MONEY,
  'logout',
  'password',
  'granted',
  'revoked',
  'reading',
  'balance',
] as const

/** An operation and its client's knowledge of it. */
export type Operation = {
  readonly kind: (typeof KINDS)[number]
  /** The idempotency key, and the description if there is one. */
  readonly key: string
  readonly outcome: 'acknowledged' | 'refused' | 'unknown' | 'answeredDifferently'
  /** True when an attempt had no response. */
  readonly wasUnknown: boolean
  /** The time of the known outcome, in milliseconds since 1970. */
  readonly at: number
  readonly status?: number
  /** The caller; for a role, its holder. */
  readonly userId?: string
  /** The time and session of the answered attempt's last byte. */
  readonly sentAt?: number
  readonly session?: string
  /** The session that it ends. */
  readonly ends?: string
  /** The principal of an investment, in cents. */
  readonly cents?: number
  /** The decided transaction, its owner, its kind, and the decision. */
  readonly transactionId?: string
  readonly about?: { readonly owner: string; readonly kind: 'deposit' | 'withdrawal' }
  readonly decision?: 'APPROVED' | 'REJECTED'
  /** The answers to a key that differ. Undefined without one in time. */
  readonly answers?: readonly unknown[]
  /** The number of earlier acknowledged rows that a list lacks. */
  readonly missing?: number
}
