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

/** The signs between cells and before decimals. They differ by the language of a program. */
export type CsvSigns = { readonly delimiter: ',' | ';'; readonly decimal: '.' | ',' }
const PLAIN: CsvSigns = { delimiter: ',', decimal: '.' }

const cellOf = (value: Value, decimal: CsvSigns['decimal']): string => {
  if (value === null) return ''
  // A number is no formula, not even a negative one.
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string') return quoted(harmless(value))
  const digits = 'dollars' in value ? value.dollars.toFixed(2) : value.exact
  return digits.replace('.', decimal)
}

const lineOf = (cells: readonly Value[], { delimiter, decimal }: CsvSigns): string =>
  `${cells.map((cell) => cellOf(cell, decimal)).join(delimiter)}\r\n`

export const csvLines = <Row>(
  rows: readonly Row[],
  columns: readonly CsvColumn<Row>[],
  signs = PLAIN,
): string =>
  rows
    .map((row) =>
      lineOf(
        columns.map(({ value }) => value(row)),
        signs,
      ),
    )
    .join('')

export const csvHeading = <Row>(columns: readonly CsvColumn<Row>[], signs = PLAIN): string =>
  lineOf(
    columns.map(({ heading }) => heading),
    signs,
  )

/** Tells spreadsheets that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\u{feff}'
