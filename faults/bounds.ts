/**
 * The kinds of fault, and for how long at most each may keep all clients from an acknowledgement:
 * so many times what the machine itself needed for the longest strike (to kill, to start again, to
 * hold a lock), and `seconds` on top.
 */
export type Bound = { readonly strikes: number; readonly seconds: number }

/**
 * Clients ask again every 0.1 s, and the product asks for a lost database again after 5 s at the
 * latest (RETRY_LIMIT). Three times those, below the 20 s for which a client waits: a fault after
 * which every client hangs is found, a machine that is slow is not.
 */
const SLACK = 15

export const bounds = {
  /** All that there is goes down and comes back. */
  restart: { strikes: 2, seconds: SLACK },
  /** Another one goes on: nobody waits for what was killed. */
  oneOfTwo: { strikes: 0, seconds: SLACK },
  /** Nothing moves while the strike lasts. */
  standstill: { strikes: 2, seconds: SLACK },
  /** The product keeps working. */
  nuisance: { strikes: 0, seconds: SLACK },
} as const satisfies Readonly<Record<string, Bound>>

export type Kind = keyof typeof bounds

/** The bound of a kind in milliseconds, when the longest strike took so many. */
export const longestGapAllowed = (kind: Kind, longestStrike: number): number => {
  const { strikes, seconds } = bounds[kind]
  return Math.round(strikes * longestStrike + seconds * 1_000)
}
