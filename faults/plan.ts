/** Somebody who signs in, and again whenever their session has ended. */
export type Person = { readonly userId: string; readonly username: string; readonly password: string; readonly token: string }

/** What the load process is told, on its standard input. */
export type LoadPlan = {
  /** The products that it may ask, any of them at any time. */
  readonly urls: readonly string[]
  /** Where it writes what became of each operation, a line of JSON for each. */
  readonly file: string
  readonly seed: number
  readonly people: readonly Person[]
  readonly admin: Person
  /** Whether every acknowledged operation is sent a second time. */
  readonly repeatAll: boolean
}

/** An operation and what its client knows of it. */
export type Operation = {
  readonly kind: 'withdrawal' | 'deposit' | 'investment' | 'decision'
  /** The idempotency key; also the description of what has one. */
  readonly key: string
  readonly outcome: 'acknowledged' | 'refused' | 'unknown' | 'answeredDifferently'
  /** Whether at least one attempt had no answer. */
  readonly wasUnknown: boolean
  /** When its outcome was known, in milliseconds since 1970. */
  readonly at: number
  readonly status?: number
  readonly userId?: string
  /** Of an investment: its principal, in cents. */
  readonly cents?: number
  /** Of a decision: about which transaction, and what. */
  readonly transactionId?: string
  readonly decision?: 'APPROVED' | 'REJECTED'
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
