import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { locale } from '../i18n/language.ts'
import { t } from '../i18n/pages.ts'
import { AsOf } from './AsOf.tsx'
import classes from './Pager.module.css'
import type { ListState } from './state.ts'
import { PAGE_SIZES } from './urlState.ts'

type Props = {
  /** The title of the list. */
  readonly of: string
  readonly state: ListState
  readonly shown: number
  readonly total: string
  readonly next: string | null
  /** The moment of rows that lag. */
  readonly asOf: string | null
  /** Blocks turning while another page is loading. */
  readonly stale: boolean
}

type TurnProps = {
  readonly can: boolean
  readonly onTurn: () => void
  readonly children: ReactNode
}

/** A disabled button keeps its place in the tab order, so that its user does not lose the focus. */
const Turn = ({ can, onTurn, children }: TurnProps) => (
  <button type="button" aria-disabled={!can} onClick={() => can && onTurn()}>
    {children}
  </button>
)

/** The range of rows on screen, and buttons to turn pages. */
export const Pager = ({ of, state, shown, total, next, asOf, stale }: Props) => {
  const { skipped } = state.place
  const number = (value: number) => value.toLocaleString(locale())
  return (
    <nav className={classes.pager} aria-label={`${t('pages')}: ${of}`} data-print="none">
      <p className={classes.range} role="status">
        {shown === 0
          ? t('rowsNone', { total })
          : t('rows', { from: number(skipped + 1), to: number(skipped + shown), total })}
      </p>
      {asOf && <AsOf at={asOf} />}
      <label className={classes.size}>
        {t('size')}
        <select
          value={state.size}
          onChange={(event) => state.setSize(Number(event.currentTarget.value))}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
      <div className={classes.turn}>
        <Turn can={state.place.cursor !== undefined && !stale} onTurn={state.goBack}>
          <IconChevronLeft size={16} aria-hidden />
          {t('previous')}
        </Turn>
        <Turn can={next !== null && !stale} onTurn={() => next !== null && state.goOn(next, shown)}>
          {t('next')}
          <IconChevronRight size={16} aria-hidden />
        </Turn>
      </div>
    </nav>
  )
}
