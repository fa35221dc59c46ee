import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { FilterButton, FilterChips, useFilterPanel } from './Filters.tsx'
import type { ListState } from './state.ts'
import classes from './Toolbar.module.css'
import { type Filter, LONGEST_SEARCH, searchable } from './urlState.ts'
import { TYPING_DELAY_MS, useEntered } from './useEntered.ts'

const Search = ({ state, label }: { state: ListState; label: string }) => {
  const asked = state.get('search')
  const [typed, setTyped] = useEntered(asked, searchable)
  useEffect(() => {
    if (searchable(typed) === asked) return
    const timer = setTimeout(
      () => state.set({ search: searchable(typed) }, { replace: true }),
      TYPING_DELAY_MS,
    )
    return () => clearTimeout(timer)
  })
  return (
    <label className={classes.search}>
      <IconSearch size={16} aria-hidden />
      <input
        type="search"
        value={typed}
        maxLength={LONGEST_SEARCH}
        placeholder={label}
        aria-label={label}
        data-list-search
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </label>
  )
}

type Props = {
  readonly state: ListState
  readonly searchLabel: string
  readonly filters: readonly Filter[]
  /** The number of rows, if known. */
  readonly total?: number | undefined
  /** Placed at the end of the bar. */
  readonly children?: ReactNode
}

/** Search and filters of a list. Below them each filter that is set has a chip. */
export const Toolbar = ({ state, searchLabel, filters, total, children }: Props) => {
  const panel = useFilterPanel({ state, filters, total })
  return (
    <div className={classes.toolbar} data-print="none">
      <div className={classes.bar}>
        <Search state={state} label={searchLabel} />
        <FilterButton panel={panel} />
        {children}
      </div>
      <FilterChips panel={panel} />
    </div>
  )
}
