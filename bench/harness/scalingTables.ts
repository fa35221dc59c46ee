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

/** Relations with fewer bytes per movement share a row. */
const SHOWN = 4

/**
 * A row for each large table and index, largest first. The size at a hundred million movements
 * follows from the last but one size, where tables grew as in use.
 */
export const bytesTable = (figures: readonly Figure[]): string => {
  const parts = partsOf(figures).filter(({ detail }) => detail)
  const sizes = [...new Set(parts.map(({ at }) => at))].toSorted((one, other) => other - one)
  const [filled = 0, grown = filled] = sizes
  const of = (figure: string, size: number) =>
    parts.find((part) => part.figure === figure && part.at === size)?.value
  const names = [...new Set(parts.map(({ figure }) => figure))].toSorted(
    (one, other) => (of(other, grown) ?? 0) - (of(one, grown) ?? 0),
  )
  /** Undefined while a relation is missing. */
  const sum = (size: number): number | undefined =>
    names.reduce<number | undefined>((all, figure) => {
      const value = of(figure, size)
      return all === undefined || value === undefined ? undefined : all + value
    }, 0)
  const isShown = (figure: string) => (of(figure, grown) ?? 0) >= SHOWN
  const others = names
    .filter((figure) => !isShown(figure))
    .reduce((all, figure) => all + (of(figure, grown) ?? 0), 0)
  const rows = names.filter(isShown).map((figure) => {
    const [, table = '', index = ''] =
      /^bytes of (\S+?)(?:, its index (\S+),)? per movement$/.exec(figure) ?? []
    const value = of(figure, grown)
    return [table, index, text(value), text(of(figure, filled)), text(value && value / 10)]
  })
  return tableOf([
    [
      'table',
      'index',
      `bytes per movement, ${grown.toLocaleString('en')} grown`,
      `${filled.toLocaleString('en')} filled`,
      'GB at 10⁸ movements',
    ],
    ...rows,
    ['others', '', text(others), '', text(others / 10)],
    ['all', '', text(sum(grown)), text(sum(filled)), text((sum(grown) ?? Number.NaN) / 10)],
  ])
}
