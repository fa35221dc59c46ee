/** Changes of roles and suspensions, for super admins. */
import * as contract from '@pool/contract/accessChanges'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from './http/client.ts'
import { asFlag, asMoment, asRecord, asText, list } from './http/reading.ts'

const queryKey = ['accessChanges']

const readChange = (value: unknown) => {
  const fields = asRecord(value) ?? {}
  return {
    id: asText(fields.id) ?? '',
    userId: asText(fields.userId) ?? '',
    username: asText(fields.username) ?? '',
    kind: asText(fields.kind) ?? '',
    role: asText(fields.role),
    reason: asText(fields.reason) ?? '',
    askedById: asText(fields.askedById),
    askedBy: asText(fields.askedBy) ?? '',
    askedAt: asMoment(fields.askedAt),
  }
}
/** A change that waits for a second super admin. */
export type OpenChange = ReturnType<typeof readChange>

/** The open changes of one user, or of all. */
export const useOpenChanges = (userId: string | undefined) =>
  useQuery({
    queryKey: [...queryKey, userId ?? null],
    // Another super admin may ask at any time.
    refetchInterval: 30_000,
    queryFn: async ({ signal }) =>
      list(readChange)(
        (
          await call(contract.listAccessChanges, {
            query: { userId },
            signal,
            texts: { otherwise: '' },
          })
        ).data,
      ),
  })

type Step =
  | { readonly step: 'ask'; readonly change: contract.AskedChange }
  | { readonly step: 'approve' | 'decline'; readonly id: string }

/** Takes a step. True for a change that is in force now. */
const take = async (step: Step, otherwise: string): Promise<boolean> => {
  const texts = { otherwise }
  if (step.step === 'ask') {
    const { data } = await call(contract.askAccessChange, { payload: step.change, texts })
    return asFlag(asRecord(data)?.isInForce)
  }
  const params = { id: step.id }
  if (step.step === 'approve') await call(contract.approveAccessChange, { params, texts })
  else await call(contract.declineAccessChange, { params, texts })
  return step.step === 'approve'
}

/** Asks for a change, or decides about one. */
export const useAccessChange = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (step: Step) => take(step, otherwise),
    // Also after a refusal, since another super admin may have decided.
    onSettled: () =>
      Promise.all(
        [queryKey, ['people'], ['users']].map((key) => client.invalidateQueries({ queryKey: key })),
      ),
  })
}
