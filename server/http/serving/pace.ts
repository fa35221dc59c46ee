type Limit = { readonly atOnce: number; readonly everyMs: number }

/** So many calls or bytes at once, then one after each of these milliseconds. */
export type Pace = { readonly calls: Limit; readonly bytes?: Limit }

/** The number of users above which those without a recent call are forgotten, once a minute. */
const MOST_KEPT = 10_000
const SWEEP_EVERY_MS = 60_000
/** The users at most, at some 100 bytes each. Above it the one first seen is forgotten. */
const MOST_EVER = 100_000

/** The moments at which a user's calls and bytes will all have been paid off. */
type Use = { readonly calls: number; readonly bytes: number }

type Call = {
  readonly userId: string
  /** Bytes of its text. */
  readonly bytes: number
  /** The pace of the user, as a multiple. */
  readonly times?: number
}

const NONE: Limit = { atOnce: 0, everyMs: 0 }

/** Counts calls of this process by user or key. `now` is in milliseconds. */
export const openPace = (
  { calls: most, bytes: size = NONE }: Pace,
  now: () => number = () => performance.now(),
) => {
  const uses = new Map<string, Use>()
  let sweptAt = now()

  const sweep = (at: number) => {
    if (uses.size <= MOST_KEPT || at - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = at
    for (const [userId, { calls, bytes }] of uses)
      if (calls <= at && bytes <= at) uses.delete(userId)
  }
  return {
    /** Counts a call and returns 0, or returns the seconds that it must wait. */
    secondsToWait: ({ userId, bytes, times = 1 }: Call): number => {
      const at = now()
      sweep(at)
      const before = uses.get(userId)
      const use = {
        calls: Math.max(before?.calls ?? at, at) + most.everyMs / times,
        bytes: Math.max(before?.bytes ?? at, at) + (bytes * size.everyMs) / times,
      }
      const wait = Math.max(
        use.calls - at - most.atOnce * most.everyMs,
        use.bytes - at - size.atOnce * size.everyMs,
      )
      if (wait > 0) return Math.ceil(wait / 1_000)
      const [oldest] = uses.keys()
      if (oldest !== undefined && !before && uses.size >= MOST_EVER) uses.delete(oldest)
      uses.set(userId, use)
      return 0
    },
    /** The number of users that are remembered. */
    kept: () => uses.size,
  }
}
