import { useLocation, useSearchParams } from 'react-router'
import type { ListQuery } from '../api/http/lists.ts'
import {
  FIRST_PAGE,
  nothingAsked,
  type Offered,
  type Place,
  queryOf,
  readAsked,
  readPlace,
  USUAL_SIZE,
  urlWith,
} from './urlState.ts'

export type ListState = {
  /** As it goes over the wire. */
  readonly query: ListQuery
  readonly get: (name: string) => string
  /**
   * Changes what is asked for and goes back to the first page; an empty value is left out of the
   * address.
   */
  readonly set: (
    changes: Readonly<Record<string, string>>,
    options?: { readonly replace?: boolean },
  ) => void
  readonly clear: () => void
  /** How many filters are set, the search aside. */
  readonly filters: number
  readonly size: number
  readonly setSize: (size: number) => void
  readonly place: Place
  readonly goOn: (next: string, shown: number) => void
  readonly goBack: () => void
}

/**
 * The trail of pages that led here. It is kept with the history's entry, so it survives a reload
 * and is not in links that are shared.
 */
const trailOf = (state: unknown, name: string): readonly Place[] => {
  const trails =
    typeof state === 'object' && state !== null && 'trails' in state
      ? (state.trails as Record<string, unknown>)
      : {}
  const trail = trails[name]
  return Array.isArray(trail) ? (trail as Place[]) : []
}

/**
 * A list's filters, order and page, kept in the address under `name`: reload, Back and a link bring
 * the same rows. What is usual is left out of the address.
 */
export const useListState = (name: string, offered: Offered): ListState => {
  const [parameters, setParameters] = useSearchParams()
  const { state } = useLocation()
  const values = readAsked(parameters, name, offered)
  const { size, ...place } = readPlace(parameters, name)
  const trail = trailOf(state, name)

  const move = (
    changes: Readonly<Record<string, string>>,
    options: { replace?: boolean; trail?: readonly Place[] },
  ) => {
    const next = urlWith(new URLSearchParams(window.location.search), name, changes)
    const trails = {
      ...((state as { trails?: object } | null)?.trails ?? {}),
      [name]: options.trail ?? [],
    }
    setParameters(next, {
      replace: options.replace ?? false,
      preventScrollReset: true,
      state: { trails },
    })
  }
  return {
    query: queryOf(values),
    get: (key) => values[key] ?? '',
    set: (changes, options = {}) => {
      // The address is ahead of the screen: what it says already is not asked again, which would
      // take somebody who went on back to the first page.
      const asked = Object.entries(
        readAsked(new URLSearchParams(window.location.search), name, offered),
      )
      const said = asked.filter(([key, value]) => changes[key] === value).length
      if (said === 0 || said < Object.keys(changes).length)
        move({ ...changes, ...FIRST_PAGE }, options)
    },
    clear: () => move({ ...nothingAsked(offered), ...FIRST_PAGE }, {}),
    filters: ['from', 'to', ...offered.filters.map(({ name }) => name)].filter((key) => values[key])
      .length,
    size,
    setSize: (chosen) =>
      move({ size: chosen === USUAL_SIZE ? '' : String(chosen), ...FIRST_PAGE }, {}),
    place,
    goOn: (next, shown) => {
      // Pressed twice before the next page is there: the address names it already.
      if (readPlace(new URLSearchParams(window.location.search), name).cursor === next) return
      move({ cursor: next, skipped: String(place.skipped + shown) }, { trail: [...trail, place] })
    },
    goBack: () => {
      const { cursor, skipped } = trail.at(-1) ?? { cursor: undefined, skipped: 0 }
      move(
        { cursor: cursor ?? '', skipped: skipped ? String(skipped) : '' },
        { trail: trail.slice(0, -1) },
      )
    },
  }
}

/** Whether search or filters leave out some of the rows. */
export const isNarrowed = (state: ListState): boolean =>
  state.filters > 0 || state.get('search') !== ''

const USUAL_SORT = 'createdAt'

/** How a list is sorted, newest first unless somebody chose otherwise. */
export const sortingOf = (state: ListState) => ({
  sort: state.get('sort') || USUAL_SORT,
  order: state.get('order') === 'asc' ? ('asc' as const) : ('desc' as const),
  onSort: (sort: string, order: 'asc' | 'desc') =>
    state.set({ sort: sort === USUAL_SORT ? '' : sort, order: order === 'desc' ? '' : order }),
})

/** The sorts that a list's columns offer. */
export const sortsOf = (columns: readonly { readonly sort?: string }[]): readonly string[] =>
  columns.flatMap(({ sort }) => sort ?? [])
