import { BYTE_ORDER_MARK, type CsvColumn, csvHeading, csvLines } from '@pool/contract/base/csv'
import type { ListPage, ListQuery, ListSource } from '../api/http/lists.ts'
import { saveFile } from '../ui/saveFile.ts'

export type { CsvColumn } from '@pool/contract/base/csv'

/** The rows of one call: the most that the server gives. */
const ROWS_AT_ONCE = 1_000

type Export<Row> = {
  readonly source: ListSource<Row>
  readonly query: ListQuery
  readonly columns: readonly CsvColumn<Row>[]
  /** The file's name before the date. */
  readonly name: string
  readonly onProgress: (written: number, total: number) => void
  readonly signal: AbortSignal
}

/**
 * Saves all matching rows, read page by page, as one CSV file unless it is stopped. Returns the
 * oldest moment of rows that lag, else null.
 */
export const exportCsv = async <Row>({
  source,
  query,
  columns,
  name,
  onProgress,
  signal,
}: Export<Row>): Promise<string | null> => {
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
  const file = new Blob(parts, { type: 'text/csv;charset=utf-8' })
  if (!signal.aborted) saveFile(file, `${name}-${new Date().toISOString().slice(0, 10)}.csv`)
  return oldest
}
