/** The searchable values of a row, by their names on the wire. */
export type Fields = Readonly<Record<string, unknown>>

type PageRequest = {
  readonly query: Readonly<Record<string, string>>
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Compares moments and numbers by size, text by the reader's order. */
const compared = (a: unknown, b: unknown): number => {
  if (typeof a === 'string' && typeof b === 'string') return a.localeCompare(b)
  return Number(a) - Number(b)
}

/** One form of a text in any case and any form of Unicode. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

const matches = (
  fields: Fields,
  { from, to, search, amountFrom, amountTo, sort: _sort, order: _order, ...filters }: Fields,
): boolean => {
  const { createdAt, amount } = fields
  if (createdAt instanceof Date && typeof from === 'string' && createdAt < new Date(from))
    return false
  if (createdAt instanceof Date && typeof to === 'string' && createdAt > new Date(to)) return false
  if (amountFrom !== undefined && !(Number(amount ?? Number.NaN) >= Number(amountFrom)))
    return false
  if (amountTo !== undefined && !(Number(amount ?? Number.NaN) <= Number(amountTo))) return false
  const isFound = (text: string) =>
    Object.values(fields).some((value) => typeof value === 'string' && folded(value).includes(text))
  if (typeof search === 'string' && !isFound(folded(search))) return false
  return Object.entries(filters).every(
    ([name, values]) =>
      fields[name] === undefined || String(values).split(',').includes(`${fields[name]}`),
  )
}

/**
 * Pages a whole list as our server would, for a server that does not page (docs/product.md 9.4).
 * Rows without the sorted value come last.
 */
export const pageOf = <Row>(
  all: readonly Row[],
  { query, limit, cursor }: PageRequest,
  fieldsOf: (row: Row) => Fields,
) => {
  const { sort = 'createdAt', order } = query
  const direction = order === 'asc' ? 1 : -1
  const found = all
    .map((row) => ({ row, fields: fieldsOf(row) }))
    .filter(({ fields }) => matches(fields, query))
    .map(({ row, fields }) => ({ row, value: fields[sort] ?? null }))
  const known = found
    .filter(({ value }) => value !== null)
    .sort((a, b) => direction * compared(a.value, b.value))
  const sorted = [...known, ...found.filter(({ value }) => value === null)].map(({ row }) => row)
  const start = /^\d+$/.test(cursor ?? '') ? Number(cursor) : 0
  const end = start + limit
  return {
    rows: sorted.slice(start, end),
    total: sorted.length,
    next: limit > 0 && end < sorted.length ? String(end) : null,
  }
}
