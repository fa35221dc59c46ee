import { BYTE_ORDER_MARK } from './csv.ts'

export type CsvRecord = {
  /** The line on which it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** The line of a quote that a line break, text or the end of the file follows. Null without. */
  readonly openQuote: number | null
}

/** A separator of cells or lines, or the end of the text. */
const isEnd = (sign: string | undefined): boolean =>
  sign === ',' || sign === '\n' || sign === '\r' || sign === undefined

/**
 * Reads at most so many records of CSV by RFC 4180, without the mark of UTF-8, in time that grows
 * with the text. Leaves empty lines out. A quote inside a cell without quotes is text.
 */
export const readCsv = (text: string, most = Number.POSITIVE_INFINITY): CsvRecord[] => {
  const records: CsvRecord[] = []
  const all = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  let [place, line] = [0, 1]

  /** The text up to the next separator. */
  const plain = (): string => {
    const from = place
    while (!isEnd(all[place])) place += 1
    return all.slice(from, place)
  }
  /** A cell between quotes, and whether it ends as one. */
  const quoted = (): { readonly cell: string; readonly isWhole: boolean } => {
    const from = place + 1
    let end = all.indexOf('"', from)
    while (end >= 0 && all[end + 1] === '"') end = all.indexOf('"', end + 2)
    place = end < 0 ? all.length : end + 1
    const inner = all.slice(from, end < 0 ? all.length : end)
    const after = plain()
    const breaks = inner.split('\n').length - 1
    line += breaks
    return {
      cell: inner.replaceAll('""', '"') + after,
      isWhole: end >= 0 && breaks === 0 && after === '',
    }
  }
  const endLine = (): void => {
    if (all[place] === '\r' && all[place + 1] === '\n') place += 1
    place += 1
    line += 1
  }

  while (place < all.length && records.length < most) {
    if (all[place] === '\n' || all[place] === '\r') {
      endLine()
      continue
    }
    const begins = line
    const cells: string[] = []
    let openQuote: number | null = null
    for (;;) {
      const at = line
      const found = all[place] === '"' ? quoted() : { cell: plain(), isWhole: true }
      if (!found.isWhole) openQuote ??= at
      cells.push(found.cell)
      if (all[place] !== ',') break
      place += 1
    }
    endLine()
    if (cells.length > 1 || cells[0] !== '') records.push({ line: begins, cells, openQuote })
  }
  return records
}
