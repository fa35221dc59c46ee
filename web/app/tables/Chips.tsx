import { IconX } from '@tabler/icons-react'
import { t } from '../i18n/filters.ts'
import classes from './Filters.module.css'
import { filterText } from './filterText.ts'
import { type ListState, setFiltersOf } from './state.ts'
import type { Filter } from './urlState.ts'

type Props = {
  readonly state: ListState
  readonly filters: readonly Filter[]
  readonly onOpen: (filter: Filter) => void
  readonly onRemove: (filter: Filter) => void
  readonly onClear: () => void
}

/** A chip for each filter that is set: its value, and a button to remove it. */
export const Chips = ({ state, filters, onOpen, onRemove, onClear }: Props) => (
  <ul className={classes.chips} aria-label={t('set')}>
    {setFiltersOf(state, filters).map((filter) => (
      <li key={filter.name} className={classes.chip}>
        <button type="button" onClick={() => onOpen(filter)}>
          <span className={classes.name}>{filter.label}</span> {filterText(filter, state.get)}
        </button>
        <button
          type="button"
          aria-label={t('remove', { name: filter.label })}
          onClick={() => onRemove(filter)}
        >
          <IconX size={14} aria-hidden />
        </button>
      </li>
    ))}
    <li>
      <button type="button" className={classes.clear} onClick={onClear}>
        {t('clear')}
      </button>
    </li>
  </ul>
)
