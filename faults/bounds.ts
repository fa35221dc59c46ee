/**
 * Bounds the time without any acknowledgement, by kind of fault: a multiple of the longest strike
 * (to kill, start again or hold a lock), plus `seconds`.
 */
export type Bound = { readonly strikes: number; readonly seconds: number }

/**
 * Three times the product's longest wait for a lost database (5 s, RETRY_LIMIT). Below a client's
 * timeout of 20 s, so a fault after which all clients hang is found.
 */
const SLACK = 15

export const bounds = {
  /** Everything goes down and comes back. */
  restart: { strikes: 2, seconds: SLACK },
  /** The other server goes on serving. */
  oneOfTwo: { strikes: 0, seconds: SLACK },
  /** Nothing moves while the strike lasts. */
  standstill: { strikes: 2, seconds: SLACK },
  /** The product keeps working. */
  nuisance: { strikes: 0, seconds: SLACK },
} as const satisfies Readonly<Record<string, Bound>>

export type Kind = keyof typeof bounds

/** The bound of a kind, in milliseconds, after its longest strike. */
export const longestGapAllowed = (kind: Kind, longestStrike: number): number => {
  const { strikes, seconds } = bounds[kind]
  return Math.round(strikes * longestStrike + seconds * 1_000)
}
