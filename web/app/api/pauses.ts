import { callFailed } from '@pool/contract/messages'
import { listPauses, type SwitchName, switchNames } from '@pool/contract/switches'
import { useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { asMoment, asRecords, asText } from './reading.ts'

/** How often it is asked for where nobody tells, in milliseconds. */
const ASKED_EVERY = 60_000

export const PAUSES = ['pauses']

export type ShownPause = { readonly name: SwitchName; readonly reason: string; readonly since: Date | null }

/** What is paused; what this app does not know is left out. */
export const readPauses = (value: unknown): readonly ShownPause[] => {
  const rows = asRecords(value) ?? []
  return switchNames.flatMap((name) => {
    const paused = rows.find((row) => row.name === name)
    return paused ? [{ name, reason: asText(paused.reason) ?? '', since: asMoment(paused.since) }] : []
  })
}

/** What the operator has paused, as anybody may ask. */
export const usePauseList = () =>
  useQuery({
    queryKey: PAUSES,
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) => readPauses((await call(listPauses, { signal, texts: { otherwise: callFailed.pauses } })).data),
  })

/** What the operator has paused; nothing while that is not known. */
export const usePauses = (): readonly ShownPause[] => usePauseList().data ?? []
