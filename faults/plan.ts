/** Somebody who signs in, and again whenever their session has ended. */
export type Person = {
  readonly userId: string
  readonly username: string
  readonly password: string
  readonly token: string
}

/** How a process reaches the database past the product. */
export type Address = {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

/** What the load process is told, on its standard input. */
export type LoadPlan = {
  /** The products that it may ask, any of them at any time. */
  readonly urls: readonly string[]
  /** Where it writes what became of each operation, a line of JSON for each. */
  readonly file: string
  readonly seed: number
  readonly people: readonly Person[]
  readonly admin: Person
  /** Signs out and in, and changes the password, again and again. */
  readonly restless: Person
  /** Is made an admin and loses the role, again and again. */
  readonly deputy: Person
  /** Where roles are granted and revoked, as the operator's command does. */
  readonly database: Address
  /** Where the keys are with which that is signed. */
  readonly dataDir: string
  /** Whether every acknowledged operation is sent a second time. */
  readonly repeatAll: boolean
  /**
   * How long after being told to stop unknown operations are still asked about, in milliseconds.
   */
  readonly afterthought: number
}

/** What each deposit and each withdrawal asks for, in cents. */
export const REQUESTED = 10_00n

/** What asks for money or decides about it. The gaps between these are what a fault costs. */
export const MONEY = ['withdrawal', 'deposit', 'investment', 'decision'] as const
/** All that the load does. */
export const KINDS = [...MONEY, 'logout', 'password', 'granted', 'revoked', 'reading'] as const

/** An operation and what its client knows of it. */
export type Operation = {
  readonly kind: (typeof KINDS)[number]
  /** The idempotency key; also the description of what has one. */
  readonly key: string
  readonly outcome: 'acknowledged' | 'refused' | 'unknown' | 'answeredDifferently'
  /** Whether at least one attempt had no answer. */
  readonly wasUnknown: boolean
  /** When its outcome was known, in milliseconds since 1970. */
  readonly at: number
  readonly status?: number
  /** Who asked; of a role, whose it is. */
  readonly userId?: string
  /** When the last byte of the attempt that was answered was sent, and the session that sent it. */
  readonly sentAt?: number
  readonly session?: string
  /** Of what ends a session: which one. */
  readonly ends?: string
  /** Of an investment: its principal, in cents. */
  readonly cents?: number
  /** Of a decision: about which transaction, whose and of which kind, and what. */
  readonly transactionId?: string
  readonly about?: { readonly owner: string; readonly kind: 'deposit' | 'withdrawal' }
  readonly decision?: 'APPROVED' | 'REJECTED'
  /** Of a list that was read: how many rows it lacks that were acknowledged before. */
  readonly missing?: number
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
