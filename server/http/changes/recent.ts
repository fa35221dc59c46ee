/** Milliseconds that may lie between loading a page and opening its stream. */
const LATELY = 30_000
/** Most users remembered with a change. Older ones are dropped. */
const MOST_REMEMBERED = 10_000

/** Remembers recent changes by owner, so that one between page load and stream is not missed. */
export const rememberRecent = () => {
  const changedAt = new Map<string, number>()
  let lastChange = 0
  /** Changes before this moment are unknown. */
  let knownSince = 0

  return {
    /** Starts to note every change. Earlier ones may be missing. */
    begin: () => {
      knownSince = Date.now()
    },
    note: (owner: string | null) => {
      lastChange = Date.now()
      if (owner === null) return
      // Deleting first moves the owner to the end of the map.
      changedAt.delete(owner)
      changedAt.set(owner, lastChange)
      if (changedAt.size <= MOST_REMEMBERED) return
      const [oldest = '', at = 0] = changedAt.entries().next().value ?? []
      changedAt.delete(oldest)
      knownSince = at
    },
    /**
     * True when rows that this follower sees may have changed: the user's own, or all with
     * `everything`.
     */
    mayHaveChanged: (userId: string, everything: boolean): boolean =>
      Math.max(knownSince, (everything ? lastChange : changedAt.get(userId)) ?? 0) >
      Date.now() - LATELY,
  }
}
