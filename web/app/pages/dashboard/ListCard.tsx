import { Skeleton } from '@mantine/core'
import { callFailed } from '@pool/contract/messages'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { messageOf } from '../../api/errors.ts'
import { t } from '../../i18n/dashboard.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import classes from './ListCard.module.css'

const LoadingRows = ({ title }: { title: string }) => (
  <div className={classes.loading} role="status" aria-label={t('list.loading', { title })}>
    {['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((row) => (
      <Skeleton key={row} height={20} radius="sm" />
    ))}
  </div>
)

type Props<Row> = {
  readonly title: string
  readonly query: UseQueryResult<readonly Row[]>
  readonly columns: readonly Column<Row>[]
  readonly empty: ReactNode
}

/** A list of the investor's: its rows with their count, or why there are none to show. */
export const ListCard = <Row extends { readonly id: string }>({ title, query, columns, empty }: Props<Row>) => {
  const id = useId()
  const rows = query.data
  const failed = query.isError && (
    <ErrorState message={messageOf(query.error, callFailed.dashboard)} retrying={query.isFetching} onRetry={() => void query.refetch()} />
  )
  return (
    <div className={classes.card}>
      <h2 id={id} className={classes.title}>
        {rows ? t('list.counted', { title, count: rows.length }) : title}
      </h2>
      {failed}
      <div className={classes.list}>
        {!rows && !failed && <LoadingRows title={title} />}
        {rows?.length === 0 && empty}
        {rows && rows.length > 0 && <DataTable labelledBy={id} rows={rows} columns={columns} />}
      </div>
    </div>
  )
}
