/** Proposals of super admins: roles, suspensions, lost factors, invites. */
import * as contract from '@pool/contract/proposals'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from './http/client.ts'
import { asFlag, asMoment, asRecord, asText, list } from './http/reading.ts'

const queryKey = ['proposals']

const readProposal = (value: unknown) => {
  const fields = asRecord(value) ?? {}
  return {
    id: asText(fields.id) ?? '',
    /** Null without a user, as for an invite, whose account does not exist yet. */
    userId: asText(fields.userId),
    about: asText(fields.about) ?? '',
    kind: asText(fields.kind) ?? '',
    facts: asRecord(fields.facts) ?? {},
    reason: asText(fields.reason) ?? '',
    askedById: asText(fields.askedById),
    askedBy: asText(fields.askedBy) ?? '',
    askedAt: asMoment(fields.askedAt),
    /** The moment from which an approved one has effect. */
    restsUntil: asMoment(fields.restsUntil),
    /** The end of the link of an approved invite. */
    linkUntil: asMoment(fields.linkUntil),
  }
}
/** A proposal that waits for a second super admin or rests, or an invite whose link works. */
export type OpenProposal = ReturnType<typeof readProposal>

/** The open proposals about one user, or all. */
export const useProposals = (userId: string | undefined) =>
  useQuery({
    queryKey: [...queryKey, userId ?? null],
    // Another super admin may ask at any time.
    refetchInterval: 30_000,
    queryFn: async ({ signal }) =>
      list(readProposal)(
        (
          await call(contract.listProposals, {
            query: { userId },
            signal,
            texts: { otherwise: '' },
          })
        ).data,
      ),
  })

type Step =
  | { readonly step: 'ask'; readonly asked: contract.AskedProposal }
  | { readonly step: 'approve' | 'decline'; readonly id: string }

/** A proposal waits for a second super admin, is in force, or rests before it is. */
export type Outcome = 'asked' | 'inForce' | 'rests'

const outcomeOf = (data: unknown, otherwise: Outcome): Outcome =>
  asMoment(asRecord(data)?.restsUntil) === null ? otherwise : 'rests'

/** Takes a step. */
const take = async (step: Step, otherwise: string): Promise<Outcome> => {
  const texts = { otherwise }
  if (step.step === 'ask') {
    const { data } = await call(contract.askProposal, { payload: step.asked, texts })
    return outcomeOf(data, asFlag(asRecord(data)?.isInForce) ? 'inForce' : 'asked')
  }
  const params = { id: step.id }
  const decision = step.step === 'approve' ? contract.approveProposal : contract.declineProposal
  return outcomeOf((await call(decision, { params, texts })).data, 'inForce')
}

/** Asks for something, or decides about a proposal. */
export const useProposalStep = (otherwise: string) => {
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
