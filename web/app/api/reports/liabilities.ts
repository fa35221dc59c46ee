/** The published sums of what the pool owes, and the files behind them. */
import {
  type ListedLiabilities,
  listLiabilities,
  readLiabilities,
  readProof,
} from '@pool/contract/reports/liabilities'
import { poolKeys } from '@pool/contract/reports/poolKeys'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { download } from '../http/download.ts'
import { asMoment, asNumber, asText, list, or, record, type Shape } from '../http/reading.ts'
import { apiHost } from '../http/url.ts'

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
  typed: asNumber,
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

/** All that the browser needs to check the caller's own leaf. */
export type Evidence = {
  readonly proof: unknown
  /** The bytes of the day's file, which are signed. */
  readonly file: Uint8Array<ArrayBuffer>
  readonly keys: unknown
}

/** The proof of the newest day with its file and the public keys. Null before the first day. */
export const readEvidence = async (otherwise: string): Promise<Evidence | null> => {
  const texts = { otherwise }
  const [newest] = list(readListed)((await call(listLiabilities, { texts })).data)
  if (!newest?.day) return null
  const params = { day: newest.day.toISOString().slice(0, 10) }
  const { signal } = new AbortController()
  const [{ data: proof }, file, keys] = await Promise.all([
    call(readProof, { params, texts }),
    download(readLiabilities, { params, texts, signal }),
    download(poolKeys, { texts, signal }),
  ])
  return {
    proof,
    file: new Uint8Array(await file.arrayBuffer()),
    keys: JSON.parse(await keys.text()),
  }
}
