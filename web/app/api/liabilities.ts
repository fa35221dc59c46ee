/** The published sums of what the pool owes, and the files behind them. */
import {
  type ListedLiabilities,
  listLiabilities,
  readLiabilities,
} from '@pool/contract/liabilities'
import { useQuery } from '@tanstack/react-query'
import { call } from './http/client.ts'
import { asMoment, asNumber, asText, list, or, record, type Shape } from './http/reading.ts'
import { apiHost } from './http/url.ts'

const [text, number] = [or(asText, ''), or(asNumber, 0)]

const readListed = record({
  day: asMoment,
  at: asMoment,
  name: text,
  digest: text,
  root: text,
  leaves: number,
  total: number,
  coins: number,
  loans: number,
  signed: record({ keyId: text, signature: text }),
} satisfies Shape<ListedLiabilities>)
export type ListedDay = ReturnType<typeof readListed>

/** The days, the newest first. */
export const useLiabilities = (otherwise: string) =>
  useQuery({
    queryKey: ['pool', 'liabilities'],
    queryFn: async ({ signal }) =>
      list(readListed)((await call(listLiabilities, { signal, texts: { otherwise } })).data),
  })

/** The URL of the file of a day, ISO text. */
export const liabilitiesUrl = (day: string): string =>
  `${apiHost()}${readLiabilities.path.replace('{day}', day)}`
