import { IconFilter, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { t } from '../i18n/lists.ts'
import type { ListState } from './state.ts'
import classes from './Toolbar.module.css'
import { type Filter, LONGEST_SEARCH, searchable } from './urlState.ts'

/** The delay in milliseconds between typing and searching. */
const TYPING_DELAY_MS = 300

/**
 * Shows an entry at once although the URL follows later, and follows the URL when Back or 'Clear'
 * changed it. `asFor` gives the entry's form in the URL.
 */
const useEntered = (asked: string, asFor: (entered: string) => string = (entered) => entered) => {
  const [entered, setEntered] = useState(asked)
  const [known, setKnown] = useState(asked)
  if (asked !== known) {
    setKnown(asked)
    if (asked !== asFor(entered)) setEntered(asked)
  }
  return [entered, setEntered] as const
}

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

const Choices = ({ filter, state }: { filter: Filter; state: ListState }) => {
  const [entered, setEntered] = useEntered(state.get(filter.name))
  const chosen = entered.split(',').filter(Boolean)
  const toggle = (value: string) => {
    const next = (
      chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]
    ).join(',')
    setEntered(next)
    state.set({ [filter.name]: next })
  }
  return (
    <fieldset className={classes.group}>
      <legend>{filter.label}</legend>
      <div className={classes.choices}>
        {filter.choices.map(({ value, label }) => (
          <label key={value} className={classes.choice}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const DateField = ({ name, state }: { name: 'from' | 'to'; state: ListState }) => {
  const [entered, setEntered] = useEntered(state.get(name))
  const enter = (value: string) => {
    setEntered(value)
    state.set({ [name]: value })
  }
  return (
    <label>
      {t(name)}
      <input type="date" value={entered} onChange={(event) => enter(event.currentTarget.value)} />
    </label>
  )
}

const Dates = ({ state }: { state: ListState }) => (
  <fieldset className={classes.group}>
    <legend>{t('created')}</legend>
    <div className={classes.dates}>
      <DateField name="from" state={state} />
      <DateField name="to" state={state} />
    </div>
  </fieldset>
)

type Props = {
  readonly state: ListState
  readonly searchLabel: string
  readonly filters: readonly Filter[]
  /** Placed at the end of the bar. */
  readonly children?: ReactNode
}

/** Search and filters of a list. Filters fold behind a button with their count. */
export const Toolbar = ({ state, searchLabel, filters, children }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={classes.toolbar} data-print="none">
      <div className={classes.bar}>
        <Search state={state} label={searchLabel} />
        <button
          type="button"
          className={classes.button}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <IconFilter size={16} aria-hidden />
          <span className={classes.name} data-set={state.filters > 0 || undefined}>
            {state.filters > 0 ? t('filtersSet', { count: state.filters }) : t('filters')}
          </span>
        </button>
        {children}
      </div>
      {isOpen && (
        <div id={id} className={classes.panel}>
          {filters.map((filter) => (
            <Choices key={filter.name} filter={filter} state={state} />
          ))}
          <Dates state={state} />
          <button
            type="button"
            className={classes.button}
            disabled={state.filters === 0}
            onClick={state.clear}
          >
            {t('clear')}
          </button>
        </div>
      )}
    </div>
  )
}
