/** Changes of roles, suspensions and lost second factors, and invites, for super admins. */
import * as contract from '@pool/contract/accessChanges'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from './http/client.ts'
import { asFlag, asMoment, asRecord, asText, list } from './http/reading.ts'

const queryKey = ['accessChanges']

const readChange = (value: unknown) => {
  const fields = asRecord(value) ?? {}
  return {
    id: asText(fields.id) ?? '',
    /** Null for an invite, whose account does not exist yet. */
    userId: asText(fields.userId),
    username: asText(fields.username) ?? '',
    kind: asText(fields.kind) ?? '',
    role: asText(fields.role),
    reason: asText(fields.reason) ?? '',
    askedById: asText(fields.askedById),
    askedBy: asText(fields.askedBy) ?? '',
    askedAt: asMoment(fields.askedAt),
    /** The moment from which an approved reset of second factors has effect. */
    restsUntil: asMoment(fields.restsUntil),
    /** The end of the link of an approved invite. */
    linkUntil: asMoment(fields.linkUntil),
  }
}
/** A change that waits for a second super admin or rests, or an invite whose link works. */
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

/** A change waits for a second super admin, is in force, or rests before it is. */
export type Outcome = 'asked' | 'inForce' | 'rests'

const outcomeOf = (data: unknown, otherwise: Outcome): Outcome =>
  asMoment(asRecord(data)?.restsUntil) === null ? otherwise : 'rests'

/** Takes a step. */
const take = async (step: Step, otherwise: string): Promise<Outcome> => {
  const texts = { otherwise }
  if (step.step === 'ask') {
    const { data } = await call(contract.askAccessChange, { payload: step.change, texts })
    return outcomeOf(data, asFlag(asRecord(data)?.isInForce) ? 'inForce' : 'asked')
  }
  const params = { id: step.id }
  const decision =
    step.step === 'approve' ? contract.approveAccessChange : contract.declineAccessChange
  return outcomeOf((await call(decision, { params, texts })).data, 'inForce')
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
