import { callFailed } from '@pool/contract/base/messages'
import { type ReactNode, useCallback, useDeferredValue, useId, useMemo } from 'react'
import { messageOf } from '../../api/http/errors.ts'
import { type ListSource, useGrowingList } from '../../api/http/lists.ts'
import { t } from '../../i18n/dashboard.ts'
import { counted, rowCount } from '../../tables/counted.ts'
import type { CsvColumn } from '../../tables/csv.ts'
import { type Column, DataTable } from '../../tables/DataTable.tsx'
import { ExportButton } from '../../tables/ExportButton.tsx'
import { NothingMatches } from '../../tables/NothingMatches.tsx'
import { SortSelect } from '../../tables/SortSelect.tsx'
import { isNarrowed, sortingOf, sortsOf, useListState } from '../../tables/state.ts'
import { Toolbar } from '../../tables/Toolbar.tsx'
import type { Filter } from '../../tables/urlState.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LoadingRows } from '../../ui/LoadingRows.tsx'
import classes from './ListCard.module.css'

/** The rows of one load; scrolling loads more. */
const ROWS_AT_ONCE = 25

/** The loaded rows, and the way to load more. */
const useRows = <Row,>(
  source: ListSource<Row>,
  query: Parameters<typeof useGrowingList>[1]['query'],
) => {
  const {
    data: loaded,
    fetchNextPage,
    hasNextPage,
    isFetching,
    isError,
    ...rest
  } = useGrowingList(source, { query, limit: ROWS_AT_ONCE })
  // Draws many rows in turns, so that the screen stays responsive.
  const data = useDeferredValue(loaded, undefined)
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows), [data])
  const more = hasNextPage && !isFetching && !isError
  const loadMore = useCallback(() => void (more && fetchNextPage()), [more, fetchNextPage])
  const last = data?.pages.at(-1)
  return { rows, last, loadMore, isFetching, isError, ...rest }
}

type Props<Row> = {
  /** The prefix of the list's parameters in the URL, and the name of its export. */
  readonly name: string
  readonly title: string
  readonly search: string
  readonly source: ListSource<Row>
  readonly columns: readonly Column<Row>[]
  readonly csv: readonly CsvColumn<Row>[]
  readonly filters: readonly Filter[]
  readonly empty: ReactNode
}

/** A list of the investor, with its count, its rows or a reason for having none. */
export const ListCard = <Row extends { readonly id: string }>({
  name,
  title,
  search,
  source,
  columns,
  ...more
}: Props<Row>) => {
  const id = useId()
  const state = useListState(name, { sorts: sortsOf(columns), filters: more.filters })
  const { rows, last, loadMore, isError, error, isFetching, isPlaceholderData, refetch } = useRows(
    source,
    state.query,
  )
  const isNew = last?.total === 0 && !isNarrowed(state)
  const failed = isError && (
    <ErrorState
      message={messageOf(error, callFailed.dashboard)}
      retrying={isFetching}
      onRetry={() => void refetch()}
    />
  )
  return (
    <div className={classes.card}>
      <h2 id={id} className={classes.title}>
        {last ? t('list.counted', { title, count: counted(last) }) : title}
      </h2>
      {!isNew && (
        <div className={classes.toolbar}>
          <Toolbar state={state} searchLabel={search} filters={more.filters} total={last?.total}>
            <ExportButton source={source} query={state.query} columns={more.csv} name={name} />
            <SortSelect columns={columns} sorting={sortingOf(state)} />
          </Toolbar>
        </div>
      )}
      {rows && failed}
      <div className={classes.list} data-loading={!rows}>
        {!rows && failed}
        {!rows && !failed && <LoadingRows label={t('list.loading', { title })} />}
        {rows && isNew && more.empty}
        <NothingMatches state={state} isSo={last?.total === 0 && !isNew} />
        {rows && rows.length > 0 && (
          <DataTable
            fills
            labelledBy={id}
            rows={rows}
            columns={columns}
            sorting={sortingOf(state)}
            total={last ? rowCount(last) : rows.length}
            stale={isPlaceholderData}
            onEnd={loadMore}
          />
        )}
      </div>
    </div>
  )
}
