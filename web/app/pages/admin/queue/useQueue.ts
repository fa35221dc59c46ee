import { useState } from 'react'
import { joined, nextOf, type QueueList, type QueueRow } from './rows.ts'

/** The id of a row's line, for the focus. */
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

/** The rows that wait, of one kind or several, with the open one and those that are selected. */
export const useQueue = <Subject>(lists: readonly QueueList<Subject>[]) => {
  const [openId, setOpenId] = useState<string | null>(null)
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const list = joined(lists)
  const { rows } = list
  const at = rows.findIndex(({ id }) => id === openId)
  const ready = rows.filter(({ isReady }) => isReady)
  const plain = ready.filter(({ isFlagged }) => !isFlagged)

  const open = (row: QueueRow<Subject> | undefined) => {
    if (!row) return
    setOpenId(row.id)
    focusOn(lineId(row.id), PANEL)
  }
  const close = () => {
    setOpenId(null)
    focusOn(...(openId === null ? [] : [lineId(openId)]), QUEUE)
  }
  const openNext = () => {
    const next = nextOf(rows, openId)
    if (next) open(next)
    else if (at >= 0) close()
  }
  const select = (id: string) => {
    if (ready.some((row) => row.id === id)) setChecked((before) => toggled(before, id))
  }
  return {
    ...list,
    showNews: () => {
      list.showNews()
      focusOn(QUEUE)
    },
    opened: rows[at],
    open,
    close,
    openPrevious: () => open(rows[at < 0 ? 0 : at - 1]),
    openNext,
    recordOutcome: (id: string, status: string) => {
      list.recordOutcome(id, status)
      setChecked((before) => (before.has(id) ? toggled(before, id) : before))
    },
    plain,
    /** The ready rows that are flagged and not selected. */
    leftOut: ready.filter(({ id, isFlagged }) => isFlagged && !checked.has(id)),
    selected: ready.filter(({ id }) => checked.has(id)),
    select,
    selectOpened: () => openId !== null && select(openId),
    /** Selects what is ready and without a flag, or nothing. */
    selectAll: (all: boolean) => setChecked(new Set(all ? plain.map(({ id }) => id) : [])),
  }
}

export type Queue<Subject> = ReturnType<typeof useQueue<Subject>>
