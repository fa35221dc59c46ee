/** Tables on paper. Each has its heading, and each page of a long one a table of its own. */
import type { Element, Paper, Style } from './paper.ts'

export type Column = {
  readonly heading: string
  /** Points from the left of the page: of the left end of a text, of the right end of a figure. */
  readonly x: number
  readonly isFigure?: boolean
}

const HEADING = { font: 'bold', color: 'soft' } as const

const styleOf = ({ isFigure }: Column, style: Style): Style =>
  isFigure ? { ...style, align: 'right' } : style

/** Points between the bases of two rows of a small table. */
export const ROW = 14

/** Draws the headings of columns, with a line below. `y` is their base. */
export const headingRow = (
  paper: Paper,
  columns: readonly Column[],
  {
    y,
    size,
    from,
    to,
  }: { readonly y: number; readonly size: number; readonly from: number; readonly to: number },
): Element => {
  const cells = columns.map((column) =>
    paper.element(
      'TH',
      [
        paper.contentOf('TH', () =>
          paper.write(column.heading, column.x, y, styleOf(column, { ...HEADING, size })),
        ),
      ],
      'Column',
    ),
  )
  paper.besides(() => paper.line(y + 4.5, from, to, 'accent'))
  return paper.element('TR', cells)
}

/** The content of the cells of a row, whose first column is its heading. */
const bodyRow = (
  paper: Paper,
  columns: readonly Column[],
  {
    texts,
    y,
    style,
  }: { readonly texts: readonly string[]; readonly y: number; readonly style: Style },
): Element =>
  paper.element(
    'TR',
    columns.map((column, place) => {
      const tag = place === 0 ? 'TH' : 'TD'
      const content = paper.contentOf(tag, () =>
        paper.write(texts[place] ?? '', column.x, y, styleOf(column, style)),
      )
      return paper.element(tag, [content], place === 0 ? 'Row' : undefined)
    }),
  )

/** A small table that fits its page. Answers its element and the base below it. */
export const smallTable = (
  paper: Paper,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { y, from, to }: { readonly y: number; readonly from: number; readonly to: number },
): { readonly element: Element; readonly below: number } => {
  const heading = headingRow(paper, columns, { y, size: 7.5, from, to })
  const body = rows.map((texts, place) => {
    const base = y + ROW * (place + 1) + 2
    const row = bodyRow(paper, columns, { texts, y: base, style: { size: 8.5 } })
    paper.besides(() => paper.line(base + 4, from, to, 'line'))
    return row
  })
  return {
    element: paper.element('Table', [heading, ...body]),
    below: y + ROW * (rows.length + 1) + 2,
  }
}

/** A text in lines that are not wider than `most` points. A word that is wider is cut. */
export const linesOf = (paper: Paper, text: string, most: number, style: Style): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (paper.width(longer, style) <= most) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (paper.width(line, style) > most) {
      let signs = line.length
      while (signs > 1 && paper.width(line.slice(0, signs), style) > most) signs -= 1
      lines.push(line.slice(0, signs))
      line = line.slice(signs)
    }
  }
  return line === '' ? lines : [...lines, line]
}

type Room = { readonly lines: number; readonly width: number }

/** The first lines of a text. The last of them ends with a sign where some of it is left out. */
export const firstLinesOf = (paper: Paper, text: string, room: Room, style: Style): string[] => {
  const lines = linesOf(paper, text, room.width, style)
  if (lines.length <= room.lines) return lines
  const last = [...(lines[room.lines - 1] ?? '')]
  while (last.length > 0 && paper.width(`${last.join('')}…`, style) > room.width) last.pop()
  return [...lines.slice(0, room.lines - 1), `${last.join('').trimEnd()}…`]
}
