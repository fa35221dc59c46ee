import type { ListQuery } from '../../api/http/lists.ts'
import type { Place } from '../../tables/urlState.ts'

/** The way through the loans of a list, which the page of a loan goes on with. */
export type LoanTrail = {
  /** The loans of the pages that are known. */
  readonly ids: readonly string[]
  /** The URL of the list. */
  readonly search: string
  readonly query: ListQuery
  /** Rows of a page. */
  readonly size: number
  /** Rows before the first of `ids`. */
  readonly skipped: number
  readonly total: number
  /** The cursor of the page after the last one, or null. */
  readonly next: string | null
  /** The pages before the first one. */
  readonly before: readonly Place[]
}
