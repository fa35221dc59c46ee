/** Mails that have not arrived, for staff only. */
import { listUndelivered, resendMail, type UndeliveredMail } from '@pool/contract/accounts/mails'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import {
  asMoment,
  asNumber,
  asRecord,
  asText,
  list,
  or,
  record,
  type Shape,
} from '../http/reading.ts'

const attempt = record({ at: asMoment, outcome: asText, answer: or(asText, '') } satisfies Shape<
  NonNullable<UndeliveredMail['lastAttempt']>
>)

const fields = record({
  userId: asText,
  recipient: or(asText, ''),
  subject: or(asText, ''),
  language: asText,
  template: asText,
  status: or(asText, ''),
  createdAt: asMoment,
  attempts: or(asNumber, 0),
  lastAttempt: attempt,
  nextAttemptAt: asMoment,
  expired: (value) => value === true,
} satisfies Shape<UndeliveredMail>)

const read = (value: unknown) => ({ ...fields(value), id: asText(asRecord(value)?.id) ?? '' })

/** An undelivered mail as the screen shows it. */
export type Undelivered = ReturnType<typeof read>

/** The interval of the query in milliseconds. Attempts go on while staff look. */
const ASKED_EVERY = 30_000

const KEY = ['undelivered']

/** The undelivered mails, newest first. `otherwise` is said of a failure without a sentence. */
export const useUndelivered = (otherwise: string) =>
  useQuery({
    queryKey: KEY,
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      list(read)((await call(listUndelivered, { signal, texts: { otherwise } })).data),
  })

/** Sends the mail with this id again. */
export const useResendMail = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(resendMail, { params: { id }, texts: { otherwise } }),
    onSettled: () => void client.invalidateQueries({ queryKey: KEY }),
  })
}
