import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { memo, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { t } from '../i18n/lists.ts'
import { onDemand } from '../loading/onDemand.tsx'
import { useInTurns } from '../loading/useInTurns.ts'
import classes from './DataTable.module.css'
import { usePrinting } from './usePrinting.ts'

export type Column<Row> = {
  readonly heading: string
  readonly cell: (row: Row) => ReactNode
  /** Aligns figures at their end. */
  readonly numeric?: true
  /** The sort that the heading's button sets. */
  readonly sort?: string
}

export type Sorting = {
  readonly sort: string
  readonly order: 'asc' | 'desc'
  readonly onSort: (sort: string, order: 'asc' | 'desc') => void
  /** False for an order in which a list of this length cannot be sorted. */
  readonly canSort?: (sort: string) => boolean
}

type Props<Row> = {
  /** The id of the heading that names the table. */
  readonly labelledBy: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly sorting?: Sorting
  /** The number of all rows, infinite when unknown, and of those before this page. */
  readonly total?: number
  readonly skipped?: number
  /** Dimmed while newer rows are loading. */
  readonly stale?: boolean
  /** Scrolls within its container's height. Otherwise it grows with its rows, up to a limit. */
  readonly fills?: boolean
  /** Called when the end of the rows comes into view. */
  readonly onEnd?: () => void
  /** Called when the pointer or the focus comes to the rows. */
  readonly onTouch?: () => void
  /** Rows keep their heights. */
  readonly isHeld?: boolean
}

/** Longer lists draw only their visible rows. */
const DRAWN_AT_ONCE = 100
/**
 * The rows drawn at once. A tall list draws a whole usual page, since a late row may widen a
 * column.
 */
const SEEN = { filling: 10, tall: 50 } as const

// Spread, because a linter rejects explicit roles and tab stops. Cards lose their roles without
// them, and keyboards cannot reach the scroll area.
const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  heading: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const
const scrolls = { tabIndex: 0 }

const ariaSort = { asc: 'ascending', desc: 'descending' } as const

/** A column's heading. A sortable one is a button, descending first. */
const Heading = <Row,>({
  column,
  sorting,
}: {
  column: Column<Row>
  sorting: Sorting | undefined
}) => {
  const { heading, numeric, sort } = column
  const order = sorting && sort !== undefined && sorting.sort === sort ? sorting.order : undefined
  const tooLong = sort !== undefined && sorting?.canSort?.(sort) === false
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
          disabled={tooLong}
          title={tooLong ? t('tooLongToSort') : undefined}
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
  /** The row's place in the whole list, after the heading; undefined when unknown. */
  readonly place: number | undefined
  readonly ref?: (node: HTMLTableRowElement | null) => void
}

const DataRow = <Row,>({ row, columns, index, place, ref }: RowProps<Row>) => (
  <tr {...roles.row} ref={ref} data-index={index} aria-rowindex={place}>
    <Cells row={row} columns={columns} />
  </tr>
)

// The cast restores the generic type that `memo` loses.
const MemoRow = memo(DataRow) as typeof DataRow

type Draw = { readonly draw: (index: number) => ReactNode }

const firstRows = ({ draw }: Draw) =>
  Array.from({ length: DRAWN_AT_ONCE }, (_, index) => draw(index))

const VirtualRows = onDemand(async () => (await import('./VirtualRows.tsx')).VirtualRows, {
  waiting: firstRows,
  missing: ({ NotLoaded }, failure, props) => (
    <>
      {firstRows(props)}
      <tr>
        <td colSpan={100}>
          <NotLoaded {...failure} />
        </td>
      </tr>
    </>
  ),
})

/** Keeps the heights of drawn rows, so that a decided one moves no other. */
const useFixedHeights = (scroll: RefObject<HTMLElement | null>, isHeld: boolean) =>
  useLayoutEffect(() => {
    if (!isHeld) return
    const drawn = [...(scroll.current?.querySelectorAll('tbody tr') ?? [])] as HTMLElement[]
    const heights = drawn.map((row) => `${row.getBoundingClientRect().height}px`)
    for (const [index, { style }] of drawn.entries())
      style.setProperty('--least', heights[index] ?? '')
    const release = () => {
      for (const { style } of drawn) style.removeProperty('--least')
    }
    window.addEventListener('resize', release, { once: true })
    return () => {
      window.removeEventListener('resize', release)
      release()
    }
  }, [scroll, isHeld])

/**
 * A table that scrolls by itself. Narrow ones turn rows into cards and keep their roles for screen
 * readers. Long ones draw visible rows only, except in print.
 */
export const DataTable = <Row extends { readonly id: string }>({
  labelledBy,
  rows,
  columns,
  sorting,
  ...more
}: Props<Row>) => {
  const { total, skipped = 0, stale, fills, onEnd, onTouch, isHeld = false } = more
  const scroll = useRef<HTMLElement>(null)
  useFixedHeights(scroll, isHeld)
  const isPrinting = usePrinting()
  const drawsAll = rows.length <= DRAWN_AT_ONCE || isPrinting
  const drawn = useInTurns(rows.length, fills ? SEEN.filling : SEEN.tall)
  const draw = (index: number, ref?: RowProps<Row>['ref']) => {
    const row = rows[index]
    const place = total === undefined ? undefined : skipped + index + 2
    return (
      row && (
        <MemoRow
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
  // Another page starts at its top. Scrolling at the first one would force a layout.
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
      data-short={rows.length <= SEEN.filling}
      {...scrolls}
      aria-labelledby={labelledBy}
      aria-busy={stale}
      onPointerEnter={onTouch}
      onFocus={onTouch}
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
            <VirtualRows count={rows.length} scroll={scroll} draw={draw} />
          )}
        </tbody>
      </table>
      {onEnd && <div ref={end} />}
    </section>
  )
}
