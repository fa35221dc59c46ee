import { callFailed } from '@pool/contract/base/messages'
import {
  listPauses,
  type Pause,
  type PauseName,
  pause,
  pauseNames,
  resume,
} from '@pool/contract/money/pauses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from '../http/client.ts'
import { asMoment, asNumber, asText, list, or, record, type Shape } from '../http/reading.ts'

/** The interval of the query in milliseconds, for readers without a stream. */
const ASKED_EVERY = 60_000

const PAUSES = ['pauses']

const pauseFields = record({
  name: asText,
  reason: or(asText, ''),
  since: asMoment,
  sharing: record({ amount: asNumber, countsAt: asMoment }),
} satisfies Shape<Pause>)

/** The pauses that this app knows by name, in the order of the contract. */
const readPauses = (value: unknown) => {
  const pauses = list(pauseFields)(value)
  return pauseNames.flatMap((name) => {
    const found = pauses.find((pause) => pause.name === name)
    return found ? [{ ...found, name }] : []
  })
}

/** A pause as screens show it. */
export type ShownPause = ReturnType<typeof readPauses>[number]

/** The pauses, for everybody. */
export const usePauseList = () =>
  useQuery({
    queryKey: PAUSES,
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      readPauses(
        (await call(listPauses, { signal, texts: { otherwise: callFailed.pauses } })).data,
      ),
  })

/** The pauses; none while they are unknown. */
export const usePauses = (): readonly ShownPause[] => usePauseList().data ?? []

/** Pauses with a reason, resumes without one. Super admins only. */
type PauseChange = { readonly name: PauseName; readonly reason: string | null }

const send = async ({ name, reason }: PauseChange): Promise<readonly ShownPause[]> => {
  requireIdentity()
  const { data } =
    reason === null
      ? await call(resume, { params: { name }, texts: { otherwise: callFailed.resume } })
      : await call(pause, {
          params: { name },
          payload: { reason },
          texts: { otherwise: callFailed.pause },
        })
  return readPauses(data)
}

/** Pauses or resumes. Both calls answer with the pauses after them and may be repeated. */
export const useChangePause = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (pauses) => {
      // An earlier query would answer with the state before.
      void client.cancelQueries({ queryKey: PAUSES })
      client.setQueryData(PAUSES, pauses)
    },
  })
}
