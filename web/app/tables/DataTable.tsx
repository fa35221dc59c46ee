import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { lazy, memo, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useInTurns } from '../loading/useInTurns.ts'
import classes from './DataTable.module.css'
import { usePrinting } from './usePrinting.ts'

export type Column<Row> = {
  readonly heading: string
  readonly cell: (row: Row) => ReactNode
  /** Figures line up at their end. */
  readonly numeric?: true
  /** What the list is sorted by when somebody presses the heading. */
  readonly sort?: string
}

export type Sorting = {
  readonly sort: string
  readonly order: 'asc' | 'desc'
  readonly onSort: (sort: string, order: 'asc' | 'desc') => void
}

type Props<Row> = {
  /** The id of the heading that names the table. */
  readonly labelledBy: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly sorting?: Sorting
  /**
   * How many rows there are in all, infinitely many where nobody knows, and how many of them come
   * before these.
   */
  readonly total?: number
  readonly skipped?: number
  /** Dimmed while other rows are on their way in the place of these. */
  readonly stale?: boolean
  /**
   * Scrolls within the height of what it stands in; else it is as tall as its rows, up to a limit.
   */
  readonly fills?: boolean
  /** Called when the end of the rows comes into view. */
  readonly onEnd?: () => void
}

/** More rows than this are drawn only where they can be seen. */
const DRAWN_AT_ONCE = 100
/**
 * So many rows are there at once, more than can be seen: in a list that fills a small place, and in
 * one that takes most of the screen. There it is a whole page of the usual size, since a row that
 * comes later may widen a column under the reader's eyes.
 */
const SEEN = { filling: 10, tall: 50 } as const

// Spread, for a linter takes these for a mistake: roles that seem to be said twice, which cards on
// a narrow screen would lose, and a place in the tab order for what scrolls, which the keyboard
// would not reach otherwise.
const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  heading: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const
const scrolls = { tabIndex: 0 }

const ariaSort = { asc: 'ascending', desc: 'descending' } as const

/** A column's heading; one that can be sorted by is a button, newest and largest first. */
const Heading = <Row,>({
  column,
  sorting,
}: {
  column: Column<Row>
  sorting: Sorting | undefined
}) => {
  const { heading, numeric, sort } = column
  const order = sorting && sort !== undefined && sorting.sort === sort ? sorting.order : undefined
  const Icon = order === 'asc' ? IconArrowUp : order === 'desc' ? IconArrowDown : IconArrowsSort
  return (
    <th
      {...roles.heading}
      scope="col"
      data-numeric={numeric}
      {...(order && { 'aria-sort': ariaSort[order] })}
    >
      {sorting && sort ? (
        <button
          type="button"
          className={classes.sort}
          data-sorted={order}
          onClick={() => sorting.onSort(sort, order === 'desc' ? 'asc' : 'desc')}
        >
          {heading}
          <Icon size={14} aria-hidden />
        </button>
      ) : (
        heading
      )}
    </th>
  )
}

const Cells = <Row,>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) =>
  columns.map(({ heading, cell, numeric }) => (
    <td key={heading} {...roles.cell} data-numeric={numeric}>
      <span className={classes.label} aria-hidden>
        {heading}
      </span>
      <div className={classes.value}>{cell(row)}</div>
    </td>
  ))

type RowProps<Row> = {
  readonly row: Row
  readonly columns: readonly Column<Row>[]
  readonly index: number
  /**
   * Where in the whole list the row stands, the heading being the first; undefined where nobody
   * counts.
   */
  readonly place: number | undefined
  readonly ref?: (node: HTMLTableRowElement | null) => void
}

const DataRow = <Row,>({ row, columns, index, place, ref }: RowProps<Row>) => (
  <tr {...roles.row} ref={ref} data-index={index} aria-rowindex={place}>
    <Cells row={row} columns={columns} />
  </tr>
)

// Typed as what it wraps: `memo` forgets that a row's type is its columns' type.
const KeptRow = memo(DataRow) as typeof DataRow

const VirtualRows = lazy(async () => ({ default: (await import('./VirtualRows.tsx')).VirtualRows }))

/**
 * A table that scrolls by itself, by keyboard too. Where it is narrow its rows become cards; the
 * roles keep it a table for screen readers, some of which drop the meaning of a table whose display
 * is changed. Of many rows only those in view are drawn; on paper all of them.
 */
export const DataTable = <Row extends { readonly id: string }>({
  labelledBy,
  rows,
  columns,
  sorting,
  ...more
}: Props<Row>) => {
  const { total, skipped = 0, stale, fills, onEnd } = more
  const scroll = useRef<HTMLElement>(null)
  const isPrinting = usePrinting()
  const drawsAll = rows.length <= DRAWN_AT_ONCE || isPrinting
  const drawn = useInTurns(rows.length, fills ? SEEN.filling : SEEN.tall)
  const draw = (index: number, ref?: RowProps<Row>['ref']) => {
    const row = rows[index]
    const place = total === undefined ? undefined : skipped + index + 2
    return (
      row && (
        <KeptRow
          key={row.id}
          row={row}
          columns={columns}
          index={index}
          place={place}
          {...(ref && { ref })}
        />
      )
    )
  }
  const drawFirst = (count: number) => rows.slice(0, count).map((_, index) => draw(index))

  const end = useRef<HTMLDivElement>(null)
  // Another page is read from its beginning. The first one is there already: to scroll would have
  // the browser lay it out at once.
  const read = useRef(skipped)
  useEffect(() => {
    if (read.current !== skipped) scroll.current?.scrollTo({ top: 0 })
    read.current = skipped
  }, [skipped])

  useEffect(() => {
    if (!onEnd || !end.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onEnd(), {
      root: scroll.current,
      rootMargin: '400px',
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [onEnd])

  return (
    <section
      ref={scroll}
      className={classes.scroll}
      data-fills={fills}
      {...scrolls}
      aria-labelledby={labelledBy}
      aria-busy={stale}
    >
      <table
        {...roles.table}
        className={classes.table}
        data-stale={stale}
        aria-labelledby={labelledBy}
        aria-rowcount={
          total === undefined ? undefined : total === Number.POSITIVE_INFINITY ? -1 : total + 1
        }
      >
        <thead {...roles.group}>
          <tr {...roles.row} aria-rowindex={total === undefined ? undefined : 1}>
            {columns.map((column) => (
              <Heading key={column.heading} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody {...roles.group}>
          {drawsAll ? (
            drawFirst(isPrinting ? rows.length : drawn)
          ) : (
            <Suspense fallback={drawFirst(DRAWN_AT_ONCE)}>
              <VirtualRows count={rows.length} scroll={scroll} draw={draw} />
            </Suspense>
          )}
        </tbody>
      </table>
      {onEnd && <div ref={end} />}
    </section>
  )
}
