import { useState } from 'react'
import { type ListQuery, type ListSource, useListPage } from '../../../api/http/lists.ts'
import { useHeld } from '../../../tables/held.ts'
import type { QueueList, QueueRow } from './rows.ts'

/** The rows that are loaded at once. */
const STEP = 200
const MOST = 1_000

type WaitingRow = { readonly id: string; readonly status: string; readonly createdAt: Date | null }
type Options<Row> = {
  readonly source: ListSource<Row>
  readonly query: ListQuery
  /** Reads from a row what it means for this person now. */
  readonly factsOf: (row: Row) => Pick<QueueRow<Row>, 'waitsForMe' | 'isReady' | 'isFlagged'>
}

/** The pending rows of a source, oldest first. They stay in their places until shown anew. */
export const useWaitingRows = <Row extends WaitingRow>({
  source,
  query,
  factsOf,
}: Options<Row>): QueueList<Row> => {
  const [limit, setLimit] = useState(STEP)
  const asked = {
    query: { ...query, status: 'PENDING', sort: 'createdAt', order: 'asc' },
    limit,
  }
  const { data, isError, isFetching, isPlaceholderData, refetch } = useListPage(source, asked)
  const held = useHeld({
    source,
    asked: JSON.stringify(asked),
    fresh: isPlaceholderData ? undefined : data?.rows,
    always: true,
  })
  // The rows that were not shown when the list was loaded. Any more are new.
  const [unseen, setUnseen] = useState({ key: '', count: 0 })
  const shown = held.rows?.length ?? 0
  const isNewList = data !== undefined && !isPlaceholderData && unseen.key !== held.key
  if (isNewList) setUnseen({ key: held.key, count: Math.max(0, data.total - shown) })
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, string>>(new Map())

  const rows = (held.rows ?? []).map((row) => {
    const status = outcomes.get(row.id)
    const subject = status && status !== row.status ? { ...row, status } : row
    return { id: row.id, since: row.createdAt, subject, ...factsOf(subject) }
  })
  return {
    rows,
    total: data?.total ?? 0,
    news: isNewList ? 0 : Math.max(0, (data?.total ?? 0) - (shown - held.gone) - unseen.count),
    showNews: held.showNews,
    isKnown: data !== undefined || isError,
    failed: isError && !data,
    retrying: isFetching,
    retry: () => void refetch(),
    canShowMore: data !== undefined && data.next !== null && limit < MOST,
    showMore: () => setLimit(limit + STEP),
    recordOutcome: (id, status) => setOutcomes((before) => new Map(before).set(id, status)),
  }
}
