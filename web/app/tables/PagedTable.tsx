import { type ReactNode, useDeferredValue, useId, useRef } from 'react'
import { fieldOf } from '../api/http/errors.ts'
import { type ListPage, type ListSource, useListPage } from '../api/http/lists.ts'
import { t as sayOfFilters } from '../i18n/filters.ts'
import { t } from '../i18n/lists.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { LoadingRows } from '../ui/LoadingRows.tsx'
import { counted, rowCount } from './counted.ts'
import type { CsvColumn } from './csv.ts'
import { type Column, DataTable } from './DataTable.tsx'
import { ExportButton } from './ExportButton.tsx'
import { type HeldRows, SettlingProvider, useHeld, useMoved } from './held.ts'
import { News } from './News.tsx'
import { NothingMatches } from './NothingMatches.tsx'
import classes from './PagedTable.module.css'
import { Pager } from './Pager.tsx'
import { SortSelect } from './SortSelect.tsx'
import { isNarrowed, type ListState, sortingOf, sortsOf, useListState } from './state.ts'
import { Toolbar } from './Toolbar.tsx'
import { type Filter, parametersOf, without } from './urlState.ts'

type Words = {
  /** The hidden heading of the table. */
  readonly title: string
  readonly loading: string
  readonly failed: string
  readonly search: string
}

type Props<Row> = {
  /** The prefix of the list's parameters in the URL. */
  readonly name: string
  readonly source: ListSource<Row>
  readonly columns: readonly Column<Row>[] | ((rows: readonly Row[]) => readonly Column<Row>[])
  readonly csv: readonly CsvColumn<Row>[]
  readonly filters: readonly Filter[]
  readonly words: Words
  /** The text for a list without rows. */
  readonly empty: string
  /** The sort without a choice. By default the newest rows come first. */
  readonly usualSort?: string
}

/** A list by pages: search, filters, sort, export and the number of all rows. */
export const PagedTable = <Row extends { readonly id: string }>({
  name,
  source,
  csv,
  filters,
  words,
  ...more
}: Props<Row>) => {
  const id = useId()
  const columnsOf = (rows: readonly Row[]) =>
    typeof more.columns === 'function' ? more.columns(rows) : more.columns
  const state = useListState(name, { sorts: sortsOf(columnsOf([])), filters })
  const asked = { query: state.query, limit: state.size, cursor: state.place.cursor }
  const {
    data: loaded,
    error,
    isError,
    isFetching,
    isPlaceholderData,
    refetch,
  } = useListPage(source, asked)
  // Draws many rows in turns, so that the screen stays responsive.
  const data = useDeferredValue(loaded, undefined)
  // Stale rows are not the page that the URL names, so its next page is out of reach. Newer rows of
  // the same page are.
  const named = JSON.stringify(asked)
  const stale = useDeferredValue(isPlaceholderData ? undefined : named) !== named
  const held = useHeld({ source, asked: named, fresh: stale ? undefined : data?.rows })
  const page = data && held.rows && { ...data, rows: held.rows }
  const isMoved = useMoved((held.rows ?? []).map((row) => row.id).join())
  // A page that is gone, as in an old link, leads back to the first.
  const bounded = filters.filter(({ isBounded }) => isBounded)
  const field = fieldOf(error) ?? ''
  const isTooLongToFilter = bounded.flatMap(parametersOf).includes(field)
  const tooLong = field === 'sort' ? t('tooLongToSort') : isTooLongToFilter && sayOfFilters('off')
  const retry = () => {
    if (field === 'sort') state.set({ sort: '', order: '' })
    else if (isTooLongToFilter) state.set(without(bounded))
    else if (state.place.cursor) state.set({})
    else void refetch()
  }
  return (
    <div className={classes.list}>
      <h2 id={id} className={classes.hidden}>
        {words.title}
      </h2>
      <Toolbar state={state} searchLabel={words.search} filters={filters} total={data?.total}>
        <ExportButton source={source} query={state.query} columns={csv} name={name} />
        <SortSelect
          columns={columnsOf([])}
          sorting={sortingOf(state, data?.total, more.usualSort)}
        />
      </Toolbar>
      {isError && (
        <ErrorState message={tooLong || words.failed} retrying={isFetching} onRetry={retry} />
      )}
      {!data && !isError && <LoadingRows label={words.loading} />}
      <NothingMatches state={state} isSo={page?.rows.length === 0 && isNarrowed(state)} />
      {page && (
        <SettlingProvider value={isMoved}>
          <Rows
            id={id}
            title={words.title}
            state={state}
            page={page}
            columns={columnsOf(page.rows)}
            empty={more.empty}
            usualSort={more.usualSort}
            stale={stale}
            held={held}
          />
        </SettlingProvider>
      )}
    </div>
  )
}

type RowsProps<Row> = {
  readonly id: string
  readonly title: string
  readonly state: ListState
  readonly page: ListPage<Row>
  readonly columns: readonly Column<Row>[]
  readonly empty: string
  readonly usualSort: string | undefined
  readonly stale: boolean
  readonly held: HeldRows<Row>
}

const Rows = <Row extends { readonly id: string }>({
  id,
  title,
  state,
  page,
  stale,
  columns,
  empty,
  usualSort,
  held,
}: RowsProps<Row>): ReactNode => {
  const table = useRef<HTMLDivElement>(null)
  const { rows, total, next, asOf } = page
  if (rows.length === 0 && total === 0)
    return isNarrowed(state) ? null : <EmptyState title={empty} />
  const showNews = () => {
    held.showNews()
    // The button goes away, so the rows get its focus.
    table.current?.querySelector('section')?.focus()
  }
  return (
    <>
      <div ref={table} className={classes.table}>
        <News count={held.news} onShow={showNews} />
        <DataTable
          labelledBy={id}
          rows={rows}
          columns={columns}
          sorting={sortingOf(state, total, usualSort)}
          total={rowCount(page)}
          skipped={state.place.skipped}
          stale={stale}
          onTouch={held.hold}
          isHeld={held.isHeld}
        />
      </div>
      <Pager
        of={title}
        state={state}
        shown={rows.length}
        total={counted(page)}
        next={next}
        asOf={asOf}
        stale={stale}
      />
    </>
  )
}
