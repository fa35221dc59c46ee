import { createContext, useContext, useEffect, useState } from 'react'
import { type ListSource, useRowsById } from '../api/http/lists.ts'
import { SETTLING_MS } from '../ui/settling.ts'

type Identified = { readonly id: string }

/** The number of times that the user loaded the lists of a page again. */
export const Loads = createContext(0)

export type HeldRows<Row> = {
  readonly rows: readonly Row[] | undefined
  /** Changes when the list is loaded again. */
  readonly key: string
  /** The number of rows that left the list and are still shown. */
  readonly gone: number
  /** The number of loaded rows that wait to be shown. */
  readonly news: number
  readonly showNews: () => void
  /** Rows stay in their places. */
  readonly isHeld: boolean
  /** Holds the rows from now on. */
  readonly hold: () => void
}

const idsOf = (rows: readonly Identified[]): ReadonlySet<string> =>
  new Set(rows.map(({ id }) => id))

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((row, index) => row === other[index])

type Options<Row> = {
  readonly source: ListSource<Row>
  /** Names the list that the user asked for. Another list is shown as it comes. */
  readonly asked: string
  /** Its newest rows, or undefined while they load. */
  readonly fresh: readonly Row[] | undefined
  /** Holds the rows before the user has touched them, too. */
  readonly always?: boolean
}

/**
 * Keeps rows in their places once the user has touched them. Their content stays current, new rows
 * wait, and rows that left the list stay until it is loaded again.
 */
export const useHeld = <Row extends Identified>({
  source,
  asked,
  fresh,
  always = false,
}: Options<Row>): HeldRows<Row> => {
  const loads = useContext(Loads)
  const [shows, setShows] = useState(0)
  const key = `${asked} ${loads} ${shows}`
  const [touched, setTouched] = useState<string | null>(null)
  const [held, setHeld] = useState<{ readonly key: string; readonly rows: readonly Row[] }>()
  const isHeld = held?.key === key && (always || touched === key)

  const freshIds = idsOf(fresh ?? [])
  const gone = isHeld && fresh ? held.rows.filter(({ id }) => !freshIds.has(id)) : []
  const found = useRowsById(
    source,
    gone.map(({ id }) => id),
  )
  const current = new Map([...found, ...(fresh ?? [])].map((row) => [row.id, row]))
  const rows = isHeld ? held.rows.map((row) => current.get(row.id) ?? row) : fresh
  if (rows && (held?.key !== key || !isSame(held.rows, rows))) setHeld({ key, rows })

  const shownIds = idsOf(rows ?? [])
  return {
    rows: rows ?? held?.rows,
    key,
    gone: gone.length,
    news: isHeld ? (fresh ?? []).filter(({ id }) => !shownIds.has(id)).length : 0,
    isHeld,
    showNews: () => setShows((before) => before + 1),
    hold: () => setTouched(key),
  }
}

const Settling = createContext(false)
export const SettlingProvider = Settling.Provider

/** True for a second after rows moved. Buttons of decisions are dead then. */
export const useIsSettling = (): boolean => useContext(Settling)

/** True for a second after `places` changed, and after the page changed its height. */
export const useMoved = (places: string): boolean => {
  const [known, setKnown] = useState(places)
  const [moves, setMoves] = useState(0)
  const [settled, setSettled] = useState(0)
  if (places !== known) {
    setKnown(places)
    // The first rows move none.
    if (known !== '') setMoves(moves + 1)
  }
  useEffect(() => {
    const page = document.body
    let height = page.offsetHeight
    const observer = new ResizeObserver(() => {
      if (page.offsetHeight !== height) setMoves((before) => before + 1)
      height = page.offsetHeight
    })
    observer.observe(page)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const timer = setTimeout(() => setSettled(moves), SETTLING_MS)
    return () => clearTimeout(timer)
  }, [moves])
  return moves !== settled
}
