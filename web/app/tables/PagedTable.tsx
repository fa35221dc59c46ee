import { type ReactNode, useDeferredValue, useId } from 'react'
import { type ListPage, type ListSource, useListPage } from '../api/http/lists.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { LoadingRows } from '../ui/LoadingRows.tsx'
import { counted, rowCount } from './counted.ts'
import type { CsvColumn } from './csv.ts'
import { type Column, DataTable } from './DataTable.tsx'
import { ExportButton } from './ExportButton.tsx'
import { NothingMatches } from './NothingMatches.tsx'
import classes from './PagedTable.module.css'
import { Pager } from './Pager.tsx'
import { SortSelect } from './SortSelect.tsx'
import { isNarrowed, type ListState, sortingOf, sortsOf, useListState } from './state.ts'
import { Toolbar } from './Toolbar.tsx'
import type { Filter } from './urlState.ts'

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
  // A page that is gone, as in an old link, leads back to the first.
  const retry = () => (state.place.cursor ? state.set({}) : void refetch())
  return (
    <div className={classes.list}>
      <h2 id={id} className={classes.hidden}>
        {words.title}
      </h2>
      <Toolbar state={state} searchLabel={words.search} filters={filters}>
        <ExportButton source={source} query={state.query} columns={csv} name={name} />
        <SortSelect columns={columnsOf([])} sorting={sortingOf(state)} />
      </Toolbar>
      {isError && <ErrorState message={words.failed} retrying={isFetching} onRetry={retry} />}
      {!data && !isError && <LoadingRows label={words.loading} />}
      <NothingMatches state={state} isSo={data?.total === 0 && isNarrowed(state)} />
      {data && (
        <Rows
          id={id}
          state={state}
          page={data}
          columns={columnsOf(data.rows)}
          empty={more.empty}
          stale={stale}
        />
      )}
    </div>
  )
}

type RowsProps<Row> = {
  readonly id: string
  readonly state: ListState
  readonly page: ListPage<Row>
  readonly columns: readonly Column<Row>[]
  readonly empty: string
  readonly stale: boolean
}

const Rows = <Row extends { readonly id: string }>({
  id,
  state,
  page,
  stale,
  columns,
  empty,
}: RowsProps<Row>): ReactNode => {
  const { rows, total, next } = page
  if (total === 0) return isNarrowed(state) ? null : <EmptyState title={empty} />
  return (
    <>
      <div className={classes.table}>
        <DataTable
          labelledBy={id}
          rows={rows}
          columns={columns}
          sorting={sortingOf(state)}
          total={rowCount(page)}
          skipped={state.place.skipped}
          stale={stale}
        />
      </div>
      <Pager state={state} shown={rows.length} total={counted(page)} next={next} stale={stale} />
    </>
  )
}
