/** The tables of docs/scaling.md, from the figures of the scenarios `operations` and `size`. */
import { type Figure, rounded } from './arithmetic.ts'
import { tableOf } from './document.ts'

const text = (value: number | undefined): string =>
  value === undefined ? '' : rounded(value).toLocaleString('en')

/** `operations` names its figures `KIND: FIGURE`. A row for each kind. */
export const operationsTable = (figures: readonly Figure[]): string => {
  const cells = new Map(figures.map(({ name, value }) => [name, value]))
  const parts = figures.flatMap(({ name }) => {
    const [kind, figure] = name.split(': ')
    return kind !== undefined && figure !== undefined ? [{ kind, figure }] : []
  })
  const kinds = [...new Set(parts.map(({ kind }) => kind))]
  const columns = [...new Set(parts.map(({ figure }) => figure))]
  return tableOf([
    ['operation', ...columns],
    ...kinds.map((kind) => [
      kind,
      ...columns.map((column) => text(cells.get(`${kind}: ${column}`))),
    ]),
  ])
}

/** `size` names its figures `FIGURE, at MOVEMENTS`. */
const partsOf = (figures: readonly Figure[]) =>
  figures.flatMap(({ name, value, detail }) => {
    const [, figure, at] = /^(.*), at (\d+)$/.exec(name) ?? []
    return figure !== undefined && at !== undefined
      ? [{ figure, at: Number(at), value, detail }]
      : []
  })

/** A row for each figure, a column for each number of movements. */
export const upkeepTable = (figures: readonly Figure[]): string => {
  const parts = partsOf(figures).filter(({ detail }) => !detail)
  const sizes = [...new Set(parts.map(({ at }) => at))]
  return tableOf([
    ['at movements', ...sizes.map((at) => at.toLocaleString('en'))],
    ...[...new Set(parts.map(({ figure }) => figure))].map((figure) => [
      figure,
      ...sizes.map((size) =>
        text(parts.find((part) => part.figure === figure && part.at === size)?.value),
      ),
    ]),
  ])
}

/** A row for each table and index, largest first, with its size at a hundred million movements. */
export const bytesTable = (figures: readonly Figure[]): string => {
  const parts = partsOf(figures)
    .filter(({ detail }) => detail)
    .toSorted((one, other) => other.value - one.value)
  const rows = parts.map(({ figure, value }) => {
    const [, table = '', index = ''] =
      /^bytes of (\S+?)(?:, its index (\S+),)? per movement$/.exec(figure) ?? []
    return [table, index, text(value), text(value / 10)]
  })
  const sum = parts.reduce((all, { value }) => all + value, 0)
  return tableOf([
    ['table', 'index', 'bytes per movement', 'GB at 10⁸ movements'],
    ...rows,
    ['all of these', '', text(sum), text(sum / 10)],
  ])
}
