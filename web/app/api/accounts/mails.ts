/** The mailbox of a sandbox, for staff only. */
import { listMails, type Mail, readMail, type WrittenMail } from '@pool/contract/accounts/mails'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asMoment, asRecord, asText, list, or, record, type Shape } from '../http/reading.ts'

/** The interval of the query in milliseconds. A mail should appear while its sender looks. */
const ASKED_EVERY = 5_000

const mail = record({
  recipient: or(asText, ''),
  subject: or(asText, ''),
  language: asText,
  template: asText,
  status: or(asText, ''),
  createdAt: asMoment,
} satisfies Shape<Mail>)

const idOf = (value: unknown): string => asText(asRecord(value)?.id) ?? ''
const readOne = (value: unknown) => ({ ...mail(value), id: idOf(value) })

const written = record({
  text: or(asText, ''),
  html: or(asText, ''),
} satisfies Partial<Shape<WrittenMail>>)

/** A mail as the mailbox lists it. */
export type ListedMail = ReturnType<typeof readOne>

/** The newest mails, the newest first. `otherwise` is said of a failure without a sentence. */
export const useMails = (otherwise: string) =>
  useQuery({
    queryKey: ['mails'],
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      list(readOne)((await call(listMails, { signal, texts: { otherwise } })).data),
  })

/** A mail with its text. */
export const useMail = (id: string, otherwise: string) =>
  useQuery({
    queryKey: ['mails', id],
    queryFn: async ({ signal }) => {
      const { data } = await call(readMail, { params: { id }, signal, texts: { otherwise } })
      return { ...readOne(data), ...written(data) }
    },
  })
