import { t } from '../i18n/lists.ts'
import type { Column, Sorting } from './DataTable.tsx'
import classes from './Toolbar.module.css'

type Props<Row> = { readonly columns: readonly Column<Row>[]; readonly sorting: Sorting }

/** Sorts by words. */
const TEXTS: readonly string[] = ['name', 'borrower']

/** The words for a column's order. */
const kindOf = (sort: string, isFigure: boolean) =>
  isFigure ? 'figure' : TEXTS.includes(sort) ? 'text' : 'moment'

/** Sorts a narrow list, whose cards have no headings. */
export const SortSelect = <Row,>({ columns, sorting }: Props<Row>) => (
  <select
    className={classes.sort}
    aria-label={t('sort')}
    value={`${sorting.sort} ${sorting.order}`}
    onChange={({ currentTarget }) => {
      const [sort = '', order] = currentTarget.value.split(' ')
      sorting.onSort(sort, order === 'asc' ? 'asc' : 'desc')
    }}
  >
    {columns.flatMap(({ sort, heading, numeric = false }) =>
      sort === undefined
        ? []
        : (['desc', 'asc'] as const).map((order) => (
            <option
              key={`${sort} ${order}`}
              value={`${sort} ${order}`}
              disabled={sorting.canSort?.(sort) === false}
            >
              {t(`sort.${kindOf(sort, numeric)}.${order}`, { name: heading })}
            </option>
          )),
    )}
  </select>
)
