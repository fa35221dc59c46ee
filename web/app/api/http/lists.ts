/** Lists that the server pages, sorts and filters. The app loads one page at a time. */
import type { Endpoint } from '@pool/contract/base/endpoint'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { late } from '../../loading/missing.ts'
import { call } from './client.ts'
import type { FailureTexts } from './errors.ts'
import { asRecords } from './reading.ts'
import type { Fields } from './wholeList.ts'

/** The query of a list, without its page. */
export type ListQuery = Readonly<Record<string, string>>

export type ListPage<Row> = {
  readonly rows: readonly Row[]
  /** The number of matching rows. */
  readonly total: number
  /** More rows match than were counted. */
  readonly andMore?: true | undefined
  /** The cursor of the next page, or null. */
  readonly next: string | null
  /** The moment of rows that lag in ISO 8601, else null. */
  readonly asOf: string | null
}

type PageRequest = {
  readonly query: ListQuery
  readonly limit: number
  readonly cursor?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Loads pages of one noun. The query cache keeps them under the noun. */
export type ListSource<Row> = {
  readonly noun: string
  readonly key: string
  /** The most ids that a query may name. Without it the list cannot be asked by ids. */
  readonly idsAtOnce?: number
  /** Milliseconds after which its pages load again. */
  readonly refreshMs?: number
  readonly load: (ask: PageRequest) => Promise<ListPage<Row>>
}

type Source<Row> = {
  readonly noun: string
  readonly endpoint: Endpoint
  readonly read: (value: unknown) => Row
  readonly texts: FailureTexts
  readonly params?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly idsAtOnce?: number
  /** Drops other users' rows. */
  readonly keep?: (row: Row) => boolean
  /** The values to search, filter and sort by, where the wire names them differently. */
  readonly fields?: (row: Row) => Fields
}

export const listSource = <Row>({
  noun,
  endpoint,
  read,
  texts,
  params,
  timeoutMs,
  idsAtOnce,
  ...rest
}: Source<Row>): ListSource<Row> => ({
  noun,
  ...(idsAtOnce && { idsAtOnce }),
  key: [endpoint.path, ...Object.values(params ?? {})].join(' '),
  load: async ({ query, limit, cursor, signal }): Promise<ListPage<Row>> => {
    const { keep = () => true, fields } = rest
    const { data, page, asOf } = await call(endpoint, {
      ...(params && { params }),
      query: { ...query, limit, cursor },
      texts,
      ...(timeoutMs && { timeoutMs }),
      ...(signal && { signal }),
    } as never)
    const sent = (asRecords(data) ?? []).map(read)
    const rows = sent.filter(keep)
    if (page) return { ...page, rows, total: page.total - (sent.length - rows.length), asOf }
    // Loaded only for a server that answers whole lists.
    const { pageOf } = await late(() => import('./wholeList.ts'))
    const asked = { query, limit, cursor }
    return { ...pageOf(rows, asked, (row) => ({ ...row, ...fields?.(row) })), asOf }
  },
})

/** One page. The page before it stays while it loads. */
export const useListPage = <Row>(
  source: ListSource<Row>,
  { query, limit, cursor }: Omit<PageRequest, 'signal'>,
) =>
  useQuery({
    queryKey: [source.noun, source.key, 'page', query, limit, cursor ?? null],
    queryFn: ({ signal }) => source.load({ query, limit, cursor, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: source.refreshMs ?? false,
  })

/** The number of matching rows, without the rows. */
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

/** The rows with these ids, as far as they are known. */
export const useRowsById = <Row>(
  source: ListSource<Row>,
  ids: readonly string[],
): readonly Row[] => {
  const named = ids.slice(0, source.idsAtOnce ?? 0).toSorted()
  const { data } = useQuery({
    queryKey: [source.noun, source.key, 'ids', named],
    enabled: named.length > 0,
    queryFn: ({ signal }) =>
      source.load({ query: { ids: named.join(',') }, limit: named.length, signal }),
    placeholderData: keepPreviousData,
  })
  return named.length > 0 ? (data?.rows ?? []) : []
}

/** Pages of `limit` rows that are appended while the user scrolls. */
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
