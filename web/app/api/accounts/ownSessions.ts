/** The sessions of the signed-in user, and the freezing of an account. */
import {
  type Device,
  endOtherSessions,
  endSession,
  freezeAccount,
  listSessions,
  type OwnSession,
} from '@pool/contract/accounts/sessions'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asMoment, asRecord, asText, list, or, record, type Shape } from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'

/** The interval of the query in milliseconds. A use is recorded each half a minute. */
const ASKED_EVERY = 30_000

const queryKey = ['sessions']

const device = record({ browser: asText, system: asText } satisfies Shape<Device>)
const session = record({
  id: or(asText, ''),
  device,
  ip: or(asText, ''),
  startedAt: asMoment,
  lastUsedAt: asMoment,
} satisfies Partial<Shape<OwnSession>>)

/** Reads a session. */
export const readSession = (value: unknown) => ({
  ...session(value),
  current: asRecord(value)?.current === true,
})

/** A session as the security page lists it. */
export type SessionRow = ReturnType<typeof readSession>

/** The living sessions, this one first. `otherwise` is said of a failure without a sentence. */
export const useSessions = (otherwise: string) =>
  useQuery({
    queryKey,
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      list(readSession)((await call(listSessions, { signal, texts: { otherwise } })).data),
  })

type Ending = { readonly id: string } | { readonly others: true; readonly readingKeys: boolean }

/** Ends the session with this id, or all others, with the keys for reading or without. */
export const useEndSessions = (otherwise: string) => {
  const client = useQueryClient()
  const end = (ending: Ending) =>
    'others' in ending
      ? call(endOtherSessions, {
          payload: { readingKeys: ending.readingKeys },
          texts: { otherwise },
        })
      : call(endSession, { params: { id: ending.id }, texts: { otherwise } })
  return useMutation({
    mutationFn: end,
    // Also after a refusal, since the session may have ended by itself.
    onSettled: () =>
      Promise.all(
        [queryKey, ['readingKeys']].map((key) => client.invalidateQueries({ queryKey: key })),
      ),
  })
}

/** Freezes an account by a mailed link. */
export const useFreeze = (otherwise: string) =>
  useMutation({
    mutationFn: useSubmit((token: string) =>
      call(freezeAccount, { payload: { token }, texts: { otherwise } }),
    ),
  })
