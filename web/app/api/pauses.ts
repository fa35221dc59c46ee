import { callFailed } from '@pool/contract/messages'
import { listPauses, pause, resume, type SwitchName, switchNames } from '@pool/contract/pauses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from './http/client.ts'
import { asMoment, asRecords, asText } from './http/reading.ts'

/** How often it is asked for where nobody tells, in milliseconds. */
const ASKED_EVERY = 60_000

const PAUSES = ['pauses']

export type ShownPause = {
  readonly name: SwitchName
  readonly reason: string
  readonly since: Date | null
}

/** What is paused; what this app does not know is left out. */
const readPauses = (value: unknown): readonly ShownPause[] => {
  const rows = asRecords(value) ?? []
  return switchNames.flatMap((name) => {
    const paused = rows.find((row) => row.name === name)
    return paused
      ? [{ name, reason: asText(paused.reason) ?? '', since: asMoment(paused.since) }]
      : []
  })
}

/** What the operator has paused, as anybody may ask. */
export const usePauseList = () =>
  useQuery({
    queryKey: PAUSES,
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      readPauses(
        (await call(listPauses, { signal, texts: { otherwise: callFailed.pauses } })).data,
      ),
  })

/** What the operator has paused; nothing while that is not known. */
export const usePauses = (): readonly ShownPause[] => usePauseList().data ?? []

/** Pauses for this reason; lets go on where there is none. Super admins only. */
type Switching = { readonly name: SwitchName; readonly reason: string | null }

const send = async ({ name, reason }: Switching): Promise<readonly ShownPause[]> => {
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

/**
 * Both calls answer what is paused from then on, which is shown at once; either may be repeated
 * without harm.
 */
export const useSwitch = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (pauses) => {
      // One that was asked before would tell what was.
      void client.cancelQueries({ queryKey: PAUSES })
      client.setQueryData(PAUSES, pauses)
    },
  })
}
