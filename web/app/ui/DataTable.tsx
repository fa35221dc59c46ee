import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './DataTable.module.css'

export type Column<Row> = {
  readonly heading: string
  readonly cell: (row: Row) => ReactNode
  /** Figures line up at their end. */
  readonly numeric?: true
}

type Props<Row> = {
  /** The id of the heading that names the table. */
  readonly labelledBy: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
}

/**
 * A table that scrolls within a fixed height, by keyboard too. Where it is narrow its rows become cards; the roles keep
 * it a table for screen readers, some of which drop the meaning of a table whose display is changed.
 */
export const DataTable = <Row extends { readonly id: string }>({ labelledBy, rows, columns }: Props<Row>) => (
  <Box component="section" className={classes.scroll} tabIndex={0} aria-labelledby={labelledBy}>
    <Box component="table" role="table" className={classes.table} aria-labelledby={labelledBy}>
      <Box component="thead" role="rowgroup">
        <Box component="tr" role="row">
          {columns.map(({ heading, numeric }) => (
            <Box component="th" key={heading} role="columnheader" scope="col" data-numeric={numeric}>
              {heading}
            </Box>
          ))}
        </Box>
      </Box>
      <Box component="tbody" role="rowgroup">
        {rows.map((row) => (
          <Box component="tr" key={row.id} role="row">
            {columns.map(({ heading, cell, numeric }) => (
              <Box component="td" key={heading} role="cell" data-numeric={numeric}>
                <span className={classes.label} aria-hidden>
                  {heading}
                </span>
                <div className={classes.value}>{cell(row)}</div>
              </Box>
            ))}
          </Box>
        ))}
      </Box>
    </Box>
  </Box>
)
