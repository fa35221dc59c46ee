import { BYTE_ORDER_MARK, type CsvColumn, csvHeading, csvLines } from '@pool/contract/csv'
import type { ListPage, ListQuery, ListSource } from '../api/http/lists.ts'

export type { CsvColumn } from '@pool/contract/csv'

/** The rows of one call: the most that the server gives. */
const ROWS_AT_ONCE = 1_000

type Export<Row> = {
  readonly source: ListSource<Row>
  readonly query: ListQuery
  readonly columns: readonly CsvColumn<Row>[]
  readonly onProgress: (written: number, total: number) => void
  readonly signal: AbortSignal
}

type Exported = {
  readonly file: Blob
  /** The oldest moment of rows that lag, else null. */
  readonly asOf: string | null
}

/** Exports all matching rows, page by page, as one CSV file. */
export const exportCsv = async <Row>({
  source,
  query,
  columns,
  onProgress,
  signal,
}: Export<Row>): Promise<Exported> => {
  const parts = [BYTE_ORDER_MARK, csvHeading(columns)]
  let written = 0
  let oldest: string | null = null
  let cursor: string | null | undefined
  do {
    const { rows, total, next, asOf }: ListPage<Row> = await source.load({
      // Only lists of staff know the parameter.
      query: { ...query, mayLag: 'true' },
      limit: ROWS_AT_ONCE,
      cursor: cursor ?? undefined,
      signal,
    })
    if (asOf && (oldest === null || asOf < oldest)) oldest = asOf
    parts.push(csvLines(rows, columns))
    written += rows.length
    onProgress(written, Math.max(total, written))
    cursor = next
  } while (cursor)
  return { file: new Blob(parts, { type: 'text/csv;charset=utf-8' }), asOf: oldest }
}
