import type { ListPage, ListQuery, ListSource } from '../api/http/lists.ts'
import type { Dollars } from './dollarsCell.ts'

type Value = string | number | Date | Dollars | null

/** A column of an export: amounts and numbers plain, moments as ISO texts, the rest as text. */
export type CsvColumn<Row> = {
  readonly heading: string
  readonly value: (row: Row) => Value
}

/** The signs that start a formula, in both widths. */
const FORMULA = '[=+\\-@＝＋－＠]'
const OPENING = new RegExp(`^\\s*${FORMULA}|^\\s*[\\t\\r\\0]`)
/** Some spreadsheets end a cell at a semicolon, even within quotes. */
const INNER_OPENING = new RegExp(`([;\\t\\r\\n]\\s*)(?=${FORMULA})`, 'g')

/** Puts an apostrophe before anything that a spreadsheet takes for a formula (ASVS 1.2.10). */
const harmless = (text: string): string =>
  (OPENING.test(text) ? `'${text}` : text).replace(INNER_OPENING, "$1'")

const quoted = (text: string): string =>
  /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

const cellOf = (value: Value): string => {
  if (value === null) return ''
  // A number is no formula, not even a negative one.
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? quoted(harmless(value)) : value.dollars.toFixed(2)
}

/** Rows as lines of RFC 4180. */
export const csvLines = <Row>(rows: readonly Row[], columns: readonly CsvColumn<Row>[]): string =>
  rows.map((row) => `${columns.map(({ value }) => cellOf(value(row))).join(',')}\r\n`).join('')

export const csvHeading = <Row>(columns: readonly CsvColumn<Row>[]): string =>
  `${columns.map(({ heading }) => cellOf(heading)).join(',')}\r\n`

/** Tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = '\u{feff}'
/** The rows of one call: the most that the server gives. */
const ROWS_AT_ONCE = 1_000

type Export<Row> = {
  readonly source: ListSource<Row>
  readonly query: ListQuery
  readonly columns: readonly CsvColumn<Row>[]
  readonly onProgress: (written: number, total: number) => void
  readonly signal: AbortSignal
}

/** Exports all matching rows, page by page, as one CSV file. */
export const exportCsv = async <Row>({
  source,
  query,
  columns,
  onProgress,
  signal,
}: Export<Row>): Promise<Blob> => {
  const parts = [BYTE_ORDER_MARK, csvHeading(columns)]
  let written = 0
  let cursor: string | null | undefined
  do {
    const { rows, total, next }: ListPage<Row> = await source.load({
      query,
      limit: ROWS_AT_ONCE,
      cursor: cursor ?? undefined,
      signal,
    })
    parts.push(csvLines(rows, columns))
    written += rows.length
    onProgress(written, Math.max(total, written))
    cursor = next
  } while (cursor)
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}
