/** The notices of the signed-in user, and which of them are mailed. */

import type { Device } from '@pool/contract/accounts/sessions'
import { pauseNames } from '@pool/contract/money/pauses'
import {
  listNotices,
  type MailedKind,
  mailedKinds,
  type Notice,
  type NoticeState,
  noticeKinds,
  noticePreferences,
  readNotices,
  saveNoticePreferences,
} from '@pool/contract/reports/notices'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import {
  asFlag,
  asMoment,
  asNumber,
  asRecord,
  asText,
  oneOf,
  record,
  type Shape,
} from '../http/reading.ts'
import { COUNT, readCount } from './unread.ts'

const LIST = ['notices', 'list']
const MAILS = ['noticeMails']

const readDevice = record({ browser: asText, system: asText } satisfies Shape<Device>)
const notice = record({
  id: asText,
  kind: oneOf(noticeKinds),
  at: asMoment,
  unread: asFlag,
  transactionId: asText,
  amount: asNumber,
  reason: asText,
  countsAt: asMoment,
  pause: oneOf(pauseNames),
  device: readDevice,
} satisfies Partial<Shape<Notice>>)

/** The notices that this app has words for. */
const readList = (value: unknown) => {
  const body = asRecord(value)
  const notices = Array.isArray(body?.notices) ? body.notices.map(notice) : []
  return {
    next: asText(body?.next),
    notices: notices.flatMap(({ id, kind, at, ...rest }) =>
      id && kind && at ? [{ id, kind, at, ...rest }] : [],
    ),
  }
}

/** A notice as the inbox shows it. */
export type NoticeRow = ReturnType<typeof readList>['notices'][number]

/** The notices, newest first. Asks for nothing until `opened`. */
export const useNotices = (opened: boolean, otherwise: string, state?: NoticeState) =>
  useInfiniteQuery({
    queryKey: [...LIST, state ?? 'all'],
    enabled: opened,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ReturnType<typeof readList>) => next,
    queryFn: async ({ signal, pageParam }) =>
      readList(
        (
          await call(listNotices, {
            query: {
              ...(pageParam !== null && { cursor: pageParam }),
              ...(state && { state }),
            },
            signal,
            texts: { otherwise },
          })
        ).data,
      ),
  })

/** Marks the notices up to a moment as read. */
export const useMarkRead = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (until: Date) =>
      call(readNotices, { payload: { until: until.toISOString() }, texts: { otherwise } }),
    onSuccess: ({ data }) => {
      client.setQueryData(COUNT, readCount(data))
      return client.invalidateQueries({ queryKey: LIST })
    },
  })
}

/** True for each kind of notice that is mailed. */
export type NoticeMails = Readonly<Record<MailedKind, boolean>>

const readMails = (value: unknown): NoticeMails => {
  const mails = asRecord(asRecord(value)?.mails)
  return Object.fromEntries(
    mailedKinds.map((kind) => [kind, mails?.[kind] === true]),
  ) as NoticeMails
}

/** The notices that the user gets by mail. */
export const useNoticeMails = (otherwise: string) =>
  useQuery({
    queryKey: MAILS,
    queryFn: async ({ signal }) =>
      readMails((await call(noticePreferences, { signal, texts: { otherwise } })).data),
  })

/** Saves which notices are mailed. Shows the choice at once, and takes it back when refused. */
export const useSaveNoticeMails = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'noticeMails' },
    mutationFn: (mails: NoticeMails) =>
      call(saveNoticePreferences, { payload: { mails }, texts: { otherwise } }),
    onMutate: (mails) => client.setQueryData(MAILS, mails),
    onError: () => client.invalidateQueries({ queryKey: MAILS }),
  })
}
