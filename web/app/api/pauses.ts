import { callFailed } from '@pool/contract/messages'
import { listPauses, type SwitchName, switchNames } from '@pool/contract/switches'
import { useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { asRecords, asText } from './reading.ts'

/** How often it is asked for where nobody tells, in milliseconds. */
const ASKED_EVERY = 60_000

export type ShownPause = { readonly name: SwitchName; readonly reason: string }

/** What the operator has paused; what this app does not know is left out. */
export const usePauses = (): readonly ShownPause[] =>
  useQuery({
    queryKey: ['pauses'],
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) => {
      const { data } = await call(listPauses, { signal, texts: { otherwise: callFailed.dashboard } })
      const rows = asRecords(data) ?? []
      return switchNames.flatMap((name) => {
        const paused = rows.find((row) => row.name === name)
        return paused ? [{ name, reason: asText(paused.reason) ?? '' }] : []
      })
    },
  }).data ?? []
