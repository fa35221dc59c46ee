/** An address of a text, with the number of its line. */
export type ListedAddress = { readonly line: number; readonly address: string }

const LINE_BREAK = /\r\n|\r|\n/
/** The heading of a column of addresses, in the languages of the product. */
const HEADING = /\b(address|direcci[oó]n)\b/i

/** The cells of a line of a CSV file. No address holds a separator or a quote. */
const cellsOf = (line: string): readonly string[] =>
  line.split(/[,;\t]/).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  )

/**
 * The addresses of a text or a CSV file, one per line without blank lines. With headings, the
 * column named as address counts, else the first one.
 */
export const readAddresses = (text: string): readonly ListedAddress[] => {
  const rows = text
    .replace(/^\ufeff/, '')
    .split(LINE_BREAK)
    .map((line, index) => ({ line: index + 1, cells: cellsOf(line) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const column = rows[0]?.cells.findIndex((cell) => HEADING.test(cell)) ?? -1
  return (column < 0 ? rows : rows.slice(1)).map(({ line, cells }) => ({
    line,
    address: cells[Math.max(column, 0)] ?? '',
  }))
}

/** The text without these lines. */
export const withoutLines = (text: string, lines: readonly number[]): string => {
  const gone = new Set(lines)
  return text
    .split(LINE_BREAK)
    .filter((_, index) => !gone.has(index + 1))
    .join('\n')
}
