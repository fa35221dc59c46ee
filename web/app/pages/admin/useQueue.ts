import { useState } from 'react'
import { useListPage } from '../../api/http/lists.ts'
import { type TransactionRow, transactionList } from '../../api/transactions.ts'
import { useSessionUser } from '../../session/store.ts'
import { useHeld } from '../../tables/held.ts'
import { useListState } from '../../tables/state.ts'
import { isApprovedBy, isOpen, isReady } from './requests.ts'
import { QUEUE_TYPES, queueFilters } from './tabs.ts'

/** The requests that are loaded at once. */
const STEP = 200
const MOST = 1_000

/** The id of a request's line, for the focus. */
export const lineId = (id: string): string => `queue-${id}`
/** The id of the queue's heading. */
export const QUEUE = 'queue'
/** The id of the panel's heading. */
export const PANEL = 'queue-panel'

const focusOn = (...ids: readonly string[]): void => {
  requestAnimationFrame(() => {
    const target = ids
      .map((id) => document.getElementById(id))
      .find((element) => element?.checkVisibility())
    target?.focus({ preventScroll: true })
    target?.scrollIntoView({ block: 'nearest' })
  })
}

const toggled = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

/** The requests that wait, oldest first, with the one that is open and those that are selected. */
export const useQueue = () => {
  const me = useSessionUser()?.email
  const state = useListState('queue', { sorts: [], filters: queueFilters })
  const [limit, setLimit] = useState(STEP)
  const asked = {
    query: {
      type: QUEUE_TYPES,
      ...state.query,
      status: 'PENDING',
      sort: 'createdAt',
      order: 'asc',
    },
    limit,
  }
  const { data, isError, isFetching, isPlaceholderData, refetch } = useListPage(
    transactionList,
    asked,
  )
  const held = useHeld({
    source: transactionList,
    asked: JSON.stringify(asked),
    fresh: isPlaceholderData ? undefined : data?.rows,
    always: true,
  })
  // The requests that were not shown when the list was loaded. Any more are new.
  const [unseen, setUnseen] = useState({ key: '', count: 0 })
  const shown = held.rows?.length ?? 0
  const isNewList = data !== undefined && !isPlaceholderData && unseen.key !== held.key
  if (isNewList) setUnseen({ key: held.key, count: Math.max(0, data.total - shown) })
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, string>>(new Map())
  const [openId, setOpenId] = useState<string | null>(null)
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())

  const rows = (held.rows ?? []).map((row) => {
    const status = outcomes.get(row.id)
    return status && status !== row.status ? { ...row, status } : row
  })
  const waitsForMe = (row: TransactionRow) => isOpen(row) && !isApprovedBy(row, me)
  const at = rows.findIndex(({ id }) => id === openId)

  const open = (row: TransactionRow | undefined) => {
    if (!row) return
    setOpenId(row.id)
    focusOn(lineId(row.id), PANEL)
  }
  const close = () => {
    setOpenId(null)
    focusOn(...(openId === null ? [] : [lineId(openId)]), QUEUE)
  }
  const openPrevious = () => open(rows[at < 0 ? 0 : at - 1])
  /**
   * The next request that waits for this person, after the open one and else from the start. The
   * first of all if none is open.
   */
  const openNext = () => {
    if (at < 0) return open(rows[0])
    const others = [...rows.slice(at + 1), ...rows.slice(0, at)]
    const next = others.find(waitsForMe)
    if (next) open(next)
    else close()
  }
  const recordOutcome = (id: string, status: string) => {
    setOutcomes((before) => new Map(before).set(id, status))
    setChecked((before) => (before.has(id) ? toggled(before, id) : before))
  }
  const select = (id: string) => setChecked((before) => toggled(before, id))
  const now = new Date()
  const ready = rows.filter((row) => waitsForMe(row) && isReady(row, now))
  return {
    state,
    rows,
    isKnown: data !== undefined || isError,
    failed: isError && !data,
    retrying: isFetching,
    retry: () => void refetch(),
    total: data?.total ?? 0,
    news: isNewList ? 0 : Math.max(0, (data?.total ?? 0) - (shown - held.gone) - unseen.count),
    showNews: () => {
      held.showNews()
      focusOn(QUEUE)
    },
    canShowMore: data !== undefined && data.next !== null && limit < MOST,
    showMore: () => setLimit(limit + STEP),
    opened: rows[at],
    open,
    close,
    openPrevious,
    openNext,
    recordOutcome,
    waitsForMe,
    ready,
    selected: ready.filter(({ id }) => checked.has(id)),
    select,
    selectOpened: () => openId !== null && select(openId),
    selectAll: (all: boolean) => setChecked(new Set(all ? ready.map(({ id }) => id) : [])),
  }
}

export type Queue = ReturnType<typeof useQueue>
