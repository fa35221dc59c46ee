import { Button, Center, Skeleton, Stack, Table } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ErrorState } from '../../ui/ErrorState.tsx'
import classes from './AdminTable.module.css'

/** What a list needs to know about its load; a query of the api fits. */
export type Listing<Row> = {
  readonly data: readonly Row[] | undefined
  readonly isPending: boolean
  readonly isError: boolean
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

export type Column<Row> = {
  readonly heading: string
  readonly cell: (row: Row) => ReactNode
  /** Figures line up at their end. */
  readonly numeric?: true
}

/** Says in place that a list could not be loaded, with Retry (design §7); the reason is in the console. */
const LoadFailed = ({ what, listing }: { what: string; listing: Listing<unknown> }) => (
  <ErrorState
    message={listing.data ? `${what} could not be loaded again; these may be out of date` : `${what} could not be loaded`}
    retrying={listing.isFetching}
    onRetry={() => void listing.refetch()}
  />
)

export const LoadingRows = ({ what }: { what: string }) => (
  <Stack gap="sm" p="md" role="status" aria-label={`Loading ${what.toLowerCase()}`}>
    {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
      <Skeleton key={row} height={44} radius="sm" />
    ))}
  </Stack>
)

/** Rows drawn at once; more on request, so that a long list opens as fast as a short one. */
const PAGE = 100

type Props<Row> = {
  readonly what: string
  readonly empty: ReactNode
  readonly listing: Listing<Row>
  readonly columns: readonly Column<Row>[]
}

/**
 * A list of the admin dashboard: skeleton, failure, empty text or rows. On a narrow screen each row becomes a card; the
 * roles keep it a table for screen readers, which drop the meaning of a table whose display is changed.
 */
export const AdminTable = <Row extends { readonly id: string }>({ what, empty, listing, columns }: Props<Row>) => {
  const [drawn, setDrawn] = useState(PAGE)
  const rows = listing.data
  if (!rows) return listing.isError ? <LoadFailed what={what} listing={listing} /> : <LoadingRows what={what} />
  return (
    <>
      {listing.isError && <LoadFailed what={what} listing={listing} />}
      {rows.length === 0 ? (
        empty
      ) : (
        <Table role="table" aria-label={what} className={classes.table} verticalSpacing="sm" horizontalSpacing="sm" highlightOnHover>
          <Table.Thead role="rowgroup" className={classes.head}>
            <Table.Tr role="row">
              {columns.map(({ heading, numeric }) => (
                <Table.Th key={heading} role="columnheader" scope="col" data-numeric={numeric}>
                  {heading}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {rows.slice(0, drawn).map((row) => (
              <Table.Tr role="row" key={row.id} className={classes.row}>
                {columns.map(({ heading, cell, numeric }) => (
                  <Table.Td key={heading} role="cell" className={classes.cell} data-numeric={numeric}>
                    <span className={classes.label} aria-hidden>
                      {heading}
                    </span>
                    <div className={classes.value}>{cell(row)}</div>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {rows.length > drawn && (
        <Center p="md">
          <Button variant="default" onClick={() => setDrawn(drawn + PAGE)}>
            Show more ({(rows.length - drawn).toLocaleString('en-US')} left)
          </Button>
        </Center>
      )}
    </>
  )
}
