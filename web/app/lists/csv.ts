import type { ListPage, ListQuery, ListSource } from '../api/lists.ts'

/** A column of an exported list: amounts as numbers, moments as ISO text, whatever people typed as text. */
export type CsvColumn<Row> = { readonly heading: string; readonly value: (row: Row) => string | number | Date | null }

/**
 * Text that a spreadsheet would take for a formula gets an apostrophe before it (ASVS 1.2.10): a leading = + - @ in either width, a tab, carriage return
 * or NUL, also behind spaces.
 */
const harmless = (text: string): string => (/^\s*[=+\-@＝＋－＠\t\r\0]|^[\t\r\0]/.test(text) ? `'${text}` : text)

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const cellOf = (value: string | number | Date | null): string => {
  if (value === null) return ''
  // Our own numbers are no formulas, not even negative ones.
  if (typeof value === 'number') return String(value)
  return quoted(value instanceof Date ? value.toISOString() : harmless(value))
}

/** Rows as lines of RFC 4180, each ended. */
export const csvLines = <Row>(rows: readonly Row[], columns: readonly CsvColumn<Row>[]): string =>
  rows.map((row) => `${columns.map(({ value }) => cellOf(value(row))).join(',')}\r\n`).join('')

export const csvHeading = <Row>(columns: readonly CsvColumn<Row>[]): string =>
  `${columns.map(({ heading }) => cellOf(heading)).join(',')}\r\n`

/** Tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = '\u{feff}'
/** Rows asked for at once: the most that the server gives. */
const ROWS_AT_ONCE = 1_000

type Export<Row> = {
  readonly source: ListSource<Row>
  readonly query: ListQuery
  readonly columns: readonly CsvColumn<Row>[]
  readonly onProgress: (written: number, total: number) => void
  readonly signal: AbortSignal
}

/** Everything that matches, page by page, as one CSV file. */
export const exportCsv = async <Row>({ source, query, columns, onProgress, signal }: Export<Row>): Promise<Blob> => {
  const parts = [BYTE_ORDER_MARK, csvHeading(columns)]
  let written = 0
  let cursor: string | null | undefined
  do {
    const { rows, total, next }: ListPage<Row> = await source.load({ query, limit: ROWS_AT_ONCE, cursor: cursor ?? undefined, signal })
    parts.push(csvLines(rows, columns))
    written += rows.length
    onProgress(written, Math.max(total, written))
    cursor = next
  } while (cursor)
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}
