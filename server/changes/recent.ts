/**
 * How long ago, in milliseconds, somebody who now begins to listen may have loaded what is on the
 * screen.
 */
const LATELY = 30_000
/**
 * Of how many users it is remembered when something of theirs changed; of more, the oldest are
 * forgotten.
 */
const MOST_REMEMBERED = 10_000

/**
 * Remembers whose rows changed lately, so that a change between loading a page and listening to its
 * changes is not missed.
 */
export const rememberRecent = () => {
  const changedAt = new Map<string, number>()
  let lastChange = 0
  /** What was before this moment is not known. */
  let knownSince = 0

  return {
    /** From now on every change is noted; before, some may not have been. */
    begin: () => {
      knownSince = Date.now()
    },
    note: (owner: string | null) => {
      lastChange = Date.now()
      if (owner === null) return
      // Taken out and put in again, the latest stand last.
      changedAt.delete(owner)
      changedAt.set(owner, lastChange)
      if (changedAt.size <= MOST_REMEMBERED) return
      const [oldest = '', at = 0] = changedAt.entries().next().value ?? []
      changedAt.delete(oldest)
      knownSince = at
    },
    /**
     * Whether something that this follower hears of may have changed lately: a user's own rows, or
     * with `everything` anybody's.
     */
    mayHaveChanged: (userId: string, everything: boolean): boolean =>
      Math.max(knownSince, (everything ? lastChange : changedAt.get(userId)) ?? 0) >
      Date.now() - LATELY,
  }
}
