/** The number of unread notices. Apart from them, since the bell comes first. */
import { listNotices } from '@pool/contract/reports/notices'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asNumber, asRecord } from '../http/reading.ts'

/** The interval of the count in milliseconds, for readers without a stream. */
const ASKED_EVERY = 60_000

export const COUNT = ['notices', 'count']

export const readCount = (value: unknown): number => asNumber(asRecord(value)?.unread) ?? 0

/** The number of unread notices. Undefined until it is known. */
export const useUnread = () =>
  useQuery({
    queryKey: COUNT,
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      readCount(
        (await call(listNotices, { query: { limit: '0' }, signal, texts: { otherwise: '' } })).data,
      ),
  }).data
