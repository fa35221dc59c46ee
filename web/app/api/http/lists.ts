/** Lists that the server pages, sorts and filters: one page at a time, never the whole of it. */
import type { Endpoint } from '@pool/contract/endpoint'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import type { FailureTexts } from './errors.ts'
import { asRecords } from './reading.ts'
import type { Fields } from './wholeList.ts'

/**
 * What a list is asked for besides its page, as it goes over the wire: status, type, search, from,
 * to, sort, order …
 */
export type ListQuery = Readonly<Record<string, string>>

export type ListPage<Row> = {
  readonly rows: readonly Row[]
  /** How many rows match in all. */
  readonly total: number
  /** There are more, which nobody counted. */
  readonly andMore?: true
  /** Where the next page begins; null on the last. */
  readonly next: string | null
}

type Ask = {
  readonly query: ListQuery
  readonly limit: number
  readonly cursor?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * A list of one noun, and how to load a page of it; answers are cached under the noun, and out of
 * date with it.
 */
export type ListSource<Row> = {
  readonly noun: string
  readonly key: string
  readonly load: (ask: Ask) => Promise<ListPage<Row>>
}

type Source<Row> = {
  readonly noun: string
  readonly endpoint: Endpoint
  readonly read: (value: unknown) => Row
  readonly texts: FailureTexts
  readonly params?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** Rows that are somebody else's are dropped, whatever the server sent. */
  readonly keep?: (row: Row) => boolean
  /**
   * What a row is searched, filtered and sorted by where the wire calls it otherwise than the row
   * does.
   */
  readonly fields?: (row: Row) => Fields
}

export const listSource = <Row>({
  noun,
  endpoint,
  read,
  texts,
  params,
  timeoutMs,
  ...rest
}: Source<Row>): ListSource<Row> => ({
  noun,
  key: [endpoint.path, ...Object.values(params ?? {})].join(' '),
  load: async ({ query, limit, cursor, signal }) => {
    const { keep = () => true, fields } = rest
    const { data, page } = await call(endpoint, {
      ...(params && { params }),
      query: { ...query, limit, cursor },
      texts,
      ...(timeoutMs && { timeoutMs }),
      ...(signal && { signal }),
    } as never)
    const sent = (asRecords(data) ?? []).map(read)
    const rows = sent.filter(keep)
    if (page) return { ...page, rows, total: page.total - (sent.length - rows.length) }
    // A server that answers lists whole: what pages them comes only then.
    const { pageOf } = await import('./wholeList.ts')
    return pageOf(rows, { query, limit, cursor }, (row) => ({ ...row, ...fields?.(row) }))
  },
})

/** One page; while the next one loads, the one before stays. */
export const useListPage = <Row>(
  source: ListSource<Row>,
  { query, limit, cursor }: Omit<Ask, 'signal'>,
) =>
  useQuery({
    queryKey: [source.noun, source.key, 'page', query, limit, cursor ?? null],
    queryFn: ({ signal }) => source.load({ query, limit, cursor, signal }),
    placeholderData: keepPreviousData,
  })

/** How many rows match, without loading any. */
export const useListTotal = <Row>(
  source: ListSource<Row>,
  query: ListQuery = {},
  { enabled = true } = {},
) =>
  useQuery({
    queryKey: [source.noun, source.key, 'total', query],
    enabled,
    queryFn: async ({ signal }) => (await source.load({ query, limit: 0, signal })).total,
  })

/** Pages one after the other, as somebody scrolls; `limit` rows each. */
export const useGrowingList = <Row>(
  source: ListSource<Row>,
  { query, limit }: { query: ListQuery; limit: number },
) =>
  useInfiniteQuery({
    queryKey: [source.noun, source.key, 'growing', query, limit],
    queryFn: ({ signal, pageParam }) =>
      source.load({ query, limit, cursor: pageParam ?? undefined, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
