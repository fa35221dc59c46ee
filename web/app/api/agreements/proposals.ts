/** Proposals of super admins: roles, suspensions, lost factors, invites. */
import * as contract from '@pool/contract/agreements/proposals'
import { listOpenProposals } from '@pool/contract/agreements/staffProposals'
import { IDS_AT_ONCE } from '@pool/contract/base/endpoint'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import type { ListSource } from '../http/lists.ts'
import { asFlag, asMoment, asRecord, asText, list } from '../http/reading.ts'

const queryKey = ['proposals']

export const readProposal = (value: unknown) => {
  const fields = asRecord(value) ?? {}
  return {
    id: asText(fields.id) ?? '',
    /** Null without a user, as for an invite, whose account does not exist yet. */
    userId: asText(fields.userId),
    about: asText(fields.about) ?? '',
    kind: asText(fields.kind) ?? '',
    facts: asRecord(fields.facts) ?? {},
    reason: asText(fields.reason) ?? '',
    status: asText(fields.status) ?? '',
    askedById: asText(fields.askedById),
    askedBy: asText(fields.askedBy) ?? '',
    askedAt: asMoment(fields.askedAt),
    /** The moment from which an approved one has effect. */
    restsUntil: asMoment(fields.restsUntil),
    /** The end of the link of an approved invite. */
    linkUntil: asMoment(fields.linkUntil),
  }
}
/** Open ones wait for a second super admin, rest, or are invites whose link works. */
export type Proposal = ReturnType<typeof readProposal>

/** A proposal about a loan. */
export const isOfLoans = (kind: string): boolean =>
  kind.endsWith('_LOAN') || kind === 'REVERSE_REPAYMENT'

const OTHERS_OF_STAFF: readonly string[] = ['IMPORT_REPAYMENTS', 'COMPLETE_WITHDRAWAL']

/** A proposal of the queue that any two members of staff decide about. Super admins write off. */
export const isOfStaff = (kind: string): boolean =>
  OTHERS_OF_STAFF.includes(kind) || (isOfLoans(kind) && kind !== 'WRITE_OFF_LOAN')

type ProposalRequest = {
  readonly query: { readonly userId?: string | undefined; readonly ids?: string | undefined }
  readonly signal?: AbortSignal | undefined
}

const loadProposals = async ({ query, signal }: ProposalRequest): Promise<readonly Proposal[]> => {
  const texts = { otherwise: '' }
  const { data } = await call(contract.listProposals, {
    query,
    texts,
    ...(signal && { signal }),
  })
  return list(readProposal)(data)
}

/** Milliseconds between loads, since another super admin may ask at any time. */
const REFRESH_MS = 30_000

/** The open proposals about one user, or all. */
export const useProposals = (userId: string | undefined, { enabled = true } = {}) =>
  useQuery({
    queryKey: [...queryKey, userId ?? null],
    enabled,
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => loadProposals({ query: { userId }, signal }),
  })

/** A proposal as a row of the queue of staff. */
export type QueuedProposal = Proposal & { readonly createdAt: Date | null }

/** The proposals that wait for a decision, oldest first, or those with the ids. */
export const queuedProposals: ListSource<QueuedProposal> = {
  noun: 'proposals',
  key: 'queue',
  idsAtOnce: IDS_AT_ONCE,
  refreshMs: REFRESH_MS,
  load: async ({ query: { ids }, signal }) => {
    const rows = (await loadProposals({ query: { ids }, signal }))
      .filter(({ status }) => ids !== undefined || status === 'PENDING')
      .map((proposal) => ({ ...proposal, createdAt: proposal.askedAt }))
      .reverse()
    return { rows, total: rows.length, next: null, asOf: null }
  },
}

/** Those of the queue that any two members of staff decide about. */
export const queuedByStaff: ListSource<QueuedProposal> = {
  noun: 'proposals',
  key: 'byStaff',
  refreshMs: REFRESH_MS,
  load: async ({ signal }) => {
    const { data } = await call(listOpenProposals, {
      texts: { otherwise: '' },
      ...(signal && { signal }),
    })
    const rows = list(readProposal)(data)
      .filter(({ kind }) => isOfStaff(kind))
      .map((proposal) => ({ ...proposal, createdAt: proposal.askedAt }))
      .reverse()
    return { rows, total: rows.length, next: null, asOf: null }
  },
}

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
        [queryKey, ['people'], ['users'], ['loans'], ['reconciliation']].map((key) =>
          client.invalidateQueries({ queryKey: key }),
        ),
      ),
  })
}
