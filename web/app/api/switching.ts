import { callFailed } from '@pool/contract/messages'
import { pause, resume, type SwitchName } from '@pool/contract/switches'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from './client.ts'
import { PAUSES, readPauses, type ShownPause } from './pauses.ts'

/** Pauses for this reason; lets go on where there is none. Super admins only. */
export type Switching = { readonly name: SwitchName; readonly reason: string | null }

const send = async ({ name, reason }: Switching): Promise<readonly ShownPause[]> => {
  requireIdentity()
  const { data } =
    reason === null
      ? await call(resume, { params: { name }, texts: { otherwise: callFailed.resume } })
      : await call(pause, { params: { name }, payload: { reason }, texts: { otherwise: callFailed.pause } })
  return readPauses(data)
}

/** Both calls answer what is paused from then on, which is shown at once; either may be repeated without harm. */
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
