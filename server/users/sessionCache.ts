import type { Pool } from 'pg'
import type { Session } from './sessions.ts'

/** A session that was looked up, and until when it may be used without looking again, on the clock of `performance.now`. */
export type Kept = { readonly session: Session; readonly until: number }

export type SessionCache = {
  readonly find: (hash: string) => Session | undefined
  /** To be called before a session is looked up: the way to keep what is then found. Does nothing when it may be out of date by then. */
  readonly keep: () => (hash: string, kept: Kept) => void
}

/**
 * How long, in milliseconds, what is kept may be trusted after the database was asked, and how often it is asked, while sessions are used at all.
 * `outwait_session_caches` waits longer than the first before it lets anything about a session change.
 */
const TRUSTED_FOR = 400
const ASKED_EVERY = 100
/** The most sessions that are kept, a few hundred bytes each; of more, the older half is forgotten. */
const MOST_KEPT = 30_000

/** Two halves, so that forgetting is to let go of one: a map whose oldest entries are deleted one by one looks past them each time. */
type Halves = { younger: Map<string, Kept>; older: Map<string, Kept> }

const put = (halves: Halves, hash: string, found: Kept): void => {
  halves.younger.set(hash, found)
  if (halves.younger.size < MOST_KEPT / 2) return
  halves.older = halves.younger
  halves.younger = new Map()
}

/**
 * Sessions in memory, for a moment, and only while the database lets them be trusted (docs/decisions/005): it is asked for a lock that whoever ends a
 * session, or changes what it may do, holds long enough that every process has stopped trusting what it keeps. Once an end is committed, no process
 * finds the session here, whoever ended it, and whether or not the two can reach each other.
 */
export const keepSessions = (pool: Pool): SessionCache => {
  const none = (): Halves => ({ younger: new Map(), older: new Map() })
  let kept = none()
  let trustedUntil = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY

  const isTrusted = (): boolean => performance.now() < trustedUntil

  const ask = async (): Promise<void> => {
    askedAt = performance.now()
    const asked = askedAt
    const { rows } = await pool.query<{ granted: boolean }>({
      name: 'trust_sessions',
      text: 'SELECT pg_try_advisory_xact_lock_shared(7031988) AS granted',
    })
    if (!rows[0]?.granted) return
    // In a gap something may have changed: what was kept before it, or is being looked up, counts no more.
    if (!isTrusted()) kept = none()
    trustedUntil = Math.max(trustedUntil, asked + TRUSTED_FOR)
  }

  return {
    find: (hash) => {
      // Without an answer nothing is trusted: the sessions themselves are then asked for, and say what is wrong.
      if (performance.now() - askedAt > ASKED_EVERY) ask().catch(() => undefined)
      if (!isTrusted()) return undefined
      const found = kept.younger.get(hash) ?? kept.older.get(hash)
      return found !== undefined && performance.now() < found.until ? found.session : undefined
    },
    keep: () => {
      if (!isTrusted()) return () => undefined
      const into = kept
      return (hash, found) => put(into, hash, found)
    },
  }
}
