import { MOST_SORTED } from '@pool/contract/base/sorting'
import { IconFilter } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { t } from '../i18n/lists.ts'
import { onDemand } from '../loading/onDemand.tsx'
import classes from './Filters.module.css'
import type { ListState } from './state.ts'
import toolbar from './Toolbar.module.css'
import { dayFilter, type Filter, without } from './urlState.ts'

const Chips = onDemand(async () => (await import('./Chips.tsx')).Chips)
const FilterFields = onDemand(async () => (await import('./FilterFields.tsx')).FilterFields)

type Offer = {
  readonly state: ListState
  readonly filters: readonly Filter[]
  /** The number of rows, if known. */
  readonly total?: number | undefined
  /** Names the list where a page has several. */
  readonly listName?: string
}

/** The panel with all filters of a list, which its button and its chips open. */
export const useFilterPanel = ({ state, total, listName, ...offered }: Offer) => {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  // The pointer or the focus comes near: time to fetch the fields.
  const [near, setNear] = useState(false)
  const [focused, setFocused] = useState<{ readonly name: string } | null>(null)
  const filters = [...offered.filters, dayFilter(t('created'))]
  return {
    id,
    state,
    name: listName ? t('filtersOf', { list: listName }) : t('filters'),
    button,
    panel,
    near,
    approach: () => setNear(true),
    fields: { state, filters, isTooLong: (total ?? 0) > MOST_SORTED, panel, focused },
    forgetFocus: () => setFocused(null),
    chips: {
      state,
      filters,
      /** Opens the panel at a filter. */
      onOpen: ({ name }: Filter) => {
        setNear(true)
        panel.current?.showPopover()
        setFocused({ name })
      },
      // The chip goes away, so the button gets its focus.
      onRemove: (filter: Filter) => {
        state.set(without([filter]))
        button.current?.focus()
      },
      onClear: () => {
        state.clear()
        button.current?.focus()
      },
    },
  }
}

type FilterPanel = ReturnType<typeof useFilterPanel>

/** Opens the filters of a list. */
export const FilterButton = ({ panel }: { panel: FilterPanel }) => (
  <div className={classes.place}>
    <button
      ref={panel.button}
      type="button"
      className={`${toolbar.button} ${classes.button}`}
      aria-label={panel.name}
      popoverTarget={panel.id}
      onPointerEnter={panel.approach}
      onFocus={panel.approach}
      onClick={panel.approach}
    >
      <IconFilter size={16} aria-hidden />
      <span className={toolbar.name}>{t('filters')}</span>
    </button>
    <div
      ref={panel.panel}
      id={panel.id}
      popover="auto"
      role="dialog"
      aria-label={panel.name}
      className={classes.panel}
      onToggle={({ newState }) => newState === 'closed' && panel.forgetFocus()}
    >
      {panel.near && <FilterFields {...panel.fields} />}
    </div>
  </div>
)

/** The line of chips, where some filter is set. Its height is kept while its code loads. */
export const FilterChips = ({ panel }: { panel: FilterPanel }) =>
  panel.state.isFiltered && (
    <div className={classes.line}>
      <Chips {...panel.chips} />
    </div>
  )
