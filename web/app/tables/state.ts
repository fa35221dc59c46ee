import { MOST_SORTED, sortsOfAnySize } from '@pool/contract/base/sorting'
import { useLocation, useSearchParams } from 'react-router'
import type { ListQuery } from '../api/http/lists.ts'
import {
  FIRST_PAGE,
  type Filter,
  nothingAsked,
  type Offered,
  type Place,
  parametersOf,
  queryOf,
  readAsked,
  readPlace,
  USUAL_SIZE,
  urlWith,
} from './urlState.ts'

export type ListState = {
  /** The query for the server. */
  readonly query: ListQuery
  readonly get: (name: string) => string
  /** Changes the query and returns to the first page. An empty value leaves the URL. */
  readonly set: (
    changes: Readonly<Record<string, string>>,
    options?: { readonly replace?: boolean },
  ) => void
  readonly clear: () => void
  /** Some filter is set, without the search. */
  readonly isFiltered: boolean
  readonly size: number
  readonly setSize: (size: number) => void
  readonly place: Place
  /** The pages before this one. */
  readonly before: readonly Place[]
  readonly goOn: (next: string, shown: number) => void
  readonly goBack: () => void
}

/**
 * The pages before this one. They live in the history entry, so they survive a reload and stay out
 * of shared links.
 */
const trailOf = (state: unknown, name: string): readonly Place[] => {
  const trails =
    typeof state === 'object' && state !== null && 'trails' in state
      ? (state.trails as Record<string, unknown>)
      : {}
  const trail = trails[name]
  return Array.isArray(trail) ? (trail as Place[]) : []
}

/** A list's filters, sort and page, in the URL under `name`. Usual values are left out. */
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
      // The URL is ahead of the screen. Repeating it would return the user to the first page.
      const asked = Object.entries(
        readAsked(new URLSearchParams(window.location.search), name, offered),
      )
      const said = asked.filter(([key, value]) => changes[key] === value).length
      if (said === 0 || said < Object.keys(changes).length)
        move({ ...changes, ...FIRST_PAGE }, options)
    },
    clear: () => move({ ...nothingAsked(offered), ...FIRST_PAGE }, {}),
    isFiltered: ['from', 'to', ...offered.filters.flatMap(parametersOf)].some((key) => values[key]),
    size,
    setSize: (chosen) =>
      move({ size: chosen === USUAL_SIZE ? '' : String(chosen), ...FIRST_PAGE }, {}),
    place,
    before: trail,
    goOn: (next, shown) => {
      // Pressed twice: the URL names the next page already.
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

/** The filters of `offered` that are set. */
export const setFiltersOf = (state: ListState, offered: readonly Filter[]): readonly Filter[] =>
  offered.filter((filter) => parametersOf(filter).some((name) => state.get(name)))

/** Search or filters hide some rows. */
export const isNarrowed = (state: ListState): boolean =>
  state.isFiltered || state.get('search') !== ''

const USUAL_SORT = 'createdAt'

/** The sort of a list of `total` rows; by its usual one without a choice, largest first. */
export const sortingOf = (state: ListState, total = 0, usual = USUAL_SORT) => ({
  sort: state.get('sort') || usual,
  order: state.get('order') === 'asc' ? ('asc' as const) : ('desc' as const),
  onSort: (sort: string, order: 'asc' | 'desc') =>
    state.set({ sort: sort === usual ? '' : sort, order: order === 'desc' ? '' : order }),
  canSort: (sort: string) => total <= MOST_SORTED || sortsOfAnySize.includes(sort),
})

/** The sorts that a list's columns offer. */
export const sortsOf = (columns: readonly { readonly sort?: string }[]): readonly string[] =>
  columns.flatMap(({ sort }) => sort ?? [])
