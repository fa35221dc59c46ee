/** Lines of CSV by RFC 4180, harmless to spreadsheets. */

/** An amount, written with two decimals and its sign. */
export type Dollars = { readonly dollars: number }

/** Digits with a sign and a point, which a number would round. */
export type Exact = { readonly exact: `${bigint}` | `${bigint}.${string}` }

type Value = string | number | Date | Dollars | Exact | null

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
  if (typeof value === 'string') return quoted(harmless(value))
  return 'dollars' in value ? value.dollars.toFixed(2) : value.exact
}

export const csvLines = <Row>(rows: readonly Row[], columns: readonly CsvColumn<Row>[]): string =>
  rows.map((row) => `${columns.map(({ value }) => cellOf(value(row))).join(',')}\r\n`).join('')

export const csvHeading = <Row>(columns: readonly CsvColumn<Row>[]): string =>
  `${columns.map(({ heading }) => cellOf(heading)).join(',')}\r\n`

/** Tells spreadsheets that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\u{feff}'
