import { useCallback, useMemo } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { ListQuery } from '../api/lists.ts'

/** What may stand in the address for a list, under the names of the wire. */
const asked = ['search', 'status', 'type', 'role', 'network', 'from', 'to', 'sort', 'order'] as const
export type Asked = (typeof asked)[number]

/** A page's place: where it begins, and how many rows come before it. */
type Place = { readonly cursor: string | undefined; readonly skipped: number }

export const PAGE_SIZES = [25, 50, 100, 500] as const
const USUAL_SIZE = 50

export type ListState = {
  /** As it goes over the wire. */
  readonly query: ListQuery
  readonly get: (name: Asked) => string
  /** Changes what is asked for and goes back to the first page; an empty value is left out of the address. */
  readonly set: (changes: Partial<Record<Asked, string>>, options?: { readonly replace?: boolean }) => void
  readonly clear: () => void
  /** How many filters are set, the search aside. */
  readonly filters: number
  readonly size: number
  readonly setSize: (size: number) => void
  readonly place: Place
  readonly goOn: (next: string, shown: number) => void
  readonly goBack: () => void
}

/** The trail of pages that led here. It is kept with the history's entry, so it survives a reload and is not in links that are shared. */
const trailOf = (state: unknown, name: string): readonly Place[] => {
  const trails = typeof state === 'object' && state !== null && 'trails' in state ? (state.trails as Record<string, unknown>) : {}
  const trail = trails[name]
  return Array.isArray(trail) ? (trail as Place[]) : []
}

/** A day of the reader's own calendar as the moment at which it begins or ends; the wire's days are those of UTC. */
const beginningOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString()
const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString()
const isDay = (text: string): boolean => !Number.isNaN(Date.parse(`${text}T00:00:00`))

const wireValue = (key: Asked, value: string): string => {
  if (key !== 'from' && key !== 'to') return value
  if (!isDay(value)) return ''
  return key === 'from' ? beginningOf(value) : endOf(value)
}

const queryOf = (get: (key: Asked) => string): ListQuery =>
  Object.fromEntries(asked.map((key) => [key, wireValue(key, get(key))] as const).filter(([, value]) => value !== ''))

/**
 * A list's filters, order and page, kept in the address under `name`: reload, Back and a link bring the same rows. What is usual is
 * left out of the address.
 */
export const useListState = (name: string): ListState => {
  const [parameters, setParameters] = useSearchParams()
  const { state } = useLocation()
  const keyOf = useCallback((key: string) => `${name}-${key}`, [name])
  const get = useCallback((key: Asked | 'cursor' | 'skipped' | 'size') => parameters.get(keyOf(key)) ?? '', [parameters, keyOf])

  const move = (changes: Readonly<Record<string, string>>, options: { replace?: boolean; trail?: readonly Place[] }) => {
    const next = new URLSearchParams(window.location.search)
    for (const [key, value] of Object.entries(changes)) value ? next.set(keyOf(key), value) : next.delete(keyOf(key))
    const trails = { ...((state as { trails?: object } | null)?.trails ?? {}), [name]: options.trail ?? [] }
    setParameters(next, { replace: options.replace ?? false, preventScrollReset: true, state: { trails } })
  }
  const firstPage = { cursor: '', skipped: '' }
  const place: Place = { cursor: get('cursor') || undefined, skipped: Number(get('skipped')) || 0 }
  const trail = trailOf(state, name)
  const size = PAGE_SIZES.find((each) => String(each) === get('size')) ?? USUAL_SIZE

  const query = useMemo(() => queryOf(get), [get])
  return {
    query,
    get,
    set: (changes, options = {}) => move({ ...changes, ...firstPage }, options),
    clear: () => move({ ...Object.fromEntries(asked.map((key) => [key, ''])), ...firstPage }, {}),
    filters: (['status', 'type', 'role', 'network', 'from', 'to'] as const).filter((key) => get(key)).length,
    size,
    setSize: (chosen) => move({ size: chosen === USUAL_SIZE ? '' : String(chosen), ...firstPage }, {}),
    place,
    goOn: (next, shown) => move({ cursor: next, skipped: String(place.skipped + shown) }, { trail: [...trail, place] }),
    goBack: () => {
      const { cursor, skipped } = trail.at(-1) ?? { cursor: undefined, skipped: 0 }
      move({ cursor: cursor ?? '', skipped: skipped ? String(skipped) : '' }, { trail: trail.slice(0, -1) })
    },
  }
}

/** Whether search or filters leave out some of the rows. */
export const isNarrowed = (state: ListState): boolean => state.filters > 0 || state.get('search') !== ''

const USUAL_SORT = 'createdAt'

/** How a list is sorted, newest first unless somebody chose otherwise. */
export const sortingOf = (state: ListState) => ({
  sort: state.get('sort') || USUAL_SORT,
  order: state.get('order') === 'asc' ? ('asc' as const) : ('desc' as const),
  onSort: (sort: string, order: 'asc' | 'desc') =>
    state.set({ sort: sort === USUAL_SORT ? '' : sort, order: order === 'desc' ? '' : order }),
})
