/** A row of any kind that waits for a decision, with what it means for this person now. */
export type QueueRow<Subject> = {
  readonly id: string
  readonly since: Date | null
  readonly subject: Subject
  /** It is open, and this person has not decided about it. */
  readonly waitsForMe: boolean
  /** An approval needs nothing but the press, so the row can be selected. */
  readonly isReady: boolean
  /** A doubt is named, so that it is selected by itself alone. */
  readonly isFlagged: boolean
}

/** The waiting rows of one kind, oldest first, as they are loaded and held. */
export type QueueList<Subject> = {
  readonly rows: readonly QueueRow<Subject>[]
  readonly total: number
  /** The number of rows that came since and wait to be shown. */
  readonly news: number
  readonly showNews: () => void
  readonly isKnown: boolean
  readonly failed: boolean
  readonly retrying: boolean
  readonly retry: () => void
  readonly canShowMore: boolean
  readonly showMore: () => void
  /** Shows a decision in its line before the rows are loaded again. */
  readonly recordOutcome: (id: string, status: string) => void
}

const bySince = (one: QueueRow<unknown>, other: QueueRow<unknown>): number =>
  (one.since?.getTime() ?? 0) - (other.since?.getTime() ?? 0)

/** The lists of several kinds as one, oldest first. Its rows come at once, so that none moves. */
export const joined = <Subject>(lists: readonly QueueList<Subject>[]): QueueList<Subject> => {
  const each = (act: (list: QueueList<Subject>) => unknown) => {
    for (const list of lists) act(list)
  }
  const sum = (count: (list: QueueList<Subject>) => number) =>
    lists.reduce((total, list) => total + count(list), 0)
  const isKnown = lists.every((list) => list.isKnown)
  return {
    rows: isKnown ? lists.flatMap(({ rows }) => rows).sort(bySince) : [],
    total: sum(({ total }) => total),
    news: sum(({ news }) => news),
    showNews: () => each(({ showNews }) => showNews()),
    isKnown,
    failed: lists.some(({ failed }) => failed),
    retrying: lists.some(({ retrying }) => retrying),
    retry: () => each(({ failed, retry }) => failed && retry()),
    canShowMore: lists.some(({ canShowMore }) => canShowMore),
    showMore: () => each(({ canShowMore, showMore }) => canShowMore && showMore()),
    recordOutcome: (id, status) =>
      lists.find(({ rows }) => rows.some((row) => row.id === id))?.recordOutcome(id, status),
  }
}

/**
 * The next row that waits for this person, after the open one and else from the start. The first
 * of all if none is open.
 */
export const nextOf = <Row extends QueueRow<unknown>>(
  rows: readonly Row[],
  openId: string | null,
): Row | undefined => {
  const at = rows.findIndex(({ id }) => id === openId)
  if (at < 0) return rows[0]
  return [...rows.slice(at + 1), ...rows.slice(0, at)].find(({ waitsForMe }) => waitsForMe)
}
