/** Proposals: a super admin asks, and a second one decides, where there are two. */
import { z } from 'zod'
import { type Endpoint, idSchema, ownerSchema } from './endpoint.ts'
import { textSchema } from './fields.ts'
import { inviteeSchema } from './invites.ts'
import type { Language } from './languages.ts'
import { validation } from './messages.ts'
import { timestampSchema } from './timestamp.ts'
import { roleTypes } from './users.ts'

const PROPOSALS = '/api/v1/admin/proposals'

/** Days for which a proposal can be approved. */
export const PROPOSAL_DAYS = 7

const reason = textSchema().min(1, validation.reasonRequired)
const userId = idSchema
const askSchema = z.discriminatedUnion('kind', [
  z.object({ userId, reason, kind: z.enum(['GRANT', 'REVOKE']), role: z.enum(roleTypes) }),
  z.object({ userId, reason, kind: z.enum(['SUSPEND', 'RESUME', 'RESET_FACTORS']) }),
  inviteeSchema.extend({ reason, kind: z.literal('INVITE') }),
])
export type AskedProposal = z.infer<typeof askSchema>
export type ProposalKind = AskedProposal['kind']

type PayloadIn<Asked, Kind> = Asked extends { readonly kind: infer Kinds }
  ? Kind extends Kinds
    ? Omit<Asked, 'kind' | 'reason'>
    : never
  : never
/** The payload of a kind. */
export type PayloadOf<Kind extends ProposalKind> = PayloadIn<AskedProposal, Kind>

/** A kind in words: of one proposal, with its facts in braces, and within a sentence. */
type Words = { readonly one: string; readonly any: string }

/** Every kind of proposal, in the words of each language. */
export const proposalKinds = {
  GRANT: {
    en: { one: 'Give the role {role}', any: 'give a role' },
    es: { one: 'Dar el rol {role}', any: 'dar un rol' },
  },
  REVOKE: {
    en: { one: 'Take the role {role}', any: 'take a role' },
    es: { one: 'Quitar el rol {role}', any: 'quitar un rol' },
  },
  SUSPEND: {
    en: { one: 'Suspend the account', any: 'suspend the account' },
    es: { one: 'Suspender la cuenta', any: 'suspender la cuenta' },
  },
  RESUME: {
    en: { one: 'Resume the account', any: 'resume the account' },
    es: { one: 'Reactivar la cuenta', any: 'reactivar la cuenta' },
  },
  RESET_FACTORS: {
    en: { one: 'Reset lost second factors', any: 'reset lost second factors' },
    es: {
      one: 'Restablecer segundos factores perdidos',
      any: 'restablecer segundos factores perdidos',
    },
  },
  INVITE: {
    en: { one: 'Invite as {role}', any: 'invite to the staff' },
    es: { one: 'Invitar como {role}', any: 'invitar al personal' },
  },
} as const satisfies Readonly<Record<ProposalKind, Readonly<Record<Language, Words>>>>
export const proposalKindNames = Object.keys(proposalKinds) as ProposalKind[]

const restsUntilSchema = timestampSchema.nullable()

export const proposalSchema = z.object({
  id: idSchema,
  /** The user concerned. Null without one, as for an invite, whose account does not exist yet. */
  userId: idSchema.nullable(),
  /** The email of the user concerned or of the person who is invited, else the subject. */
  about: z.string(),
  kind: z.enum(proposalKindNames),
  /** The values that fill its words. */
  facts: z.record(z.string(), z.unknown()),
  reason: z.string(),
  askedById: idSchema,
  /** The email of the super admin who asked. */
  askedBy: z.string(),
  askedAt: timestampSchema,
  /** Of an approved one that rests: the moment from which it has effect. */
  restsUntil: restsUntilSchema,
  /** Of an approved invite: the end of its link. */
  linkUntil: timestampSchema.nullable(),
})
export type Proposal = z.infer<typeof proposalSchema>

export const listProposals = {
  method: 'GET',
  path: PROPOSALS,
  access: 'superAdmin',
  summary: `List the proposals that wait for a second super admin, at most ${PROPOSAL_DAYS} days, the approved ones that rest, and the invites whose link works`,
  query: z.object({ userId: ownerSchema }),
  body: z.array(proposalSchema),
} as const satisfies Endpoint

const RESTS = 'Approved. It has effect in 24 hours, unless its owner signs in with a factor.'

export const askProposal = {
  method: 'POST',
  path: PROPOSALS,
  access: 'superAdmin',
  stepUp: true,
  summary:
    'Ask to grant or revoke a role, to suspend or resume a user, to reset lost second factors, or to invite to the staff by mail. In force once a second super admin approves, and at once where there is only one. A reset rests for 24 hours then',
  payload: askSchema,
  narration: ({ isInForce, restsUntil }: { isInForce: boolean; restsUntil: unknown }) => {
    if (restsUntil) return RESTS
    return isInForce
      ? 'Done. You are the only super admin, so it is in force now.'
      : 'Asked for. It is in force once a second super admin approves it.'
  },
  body: z.object({ id: idSchema, isInForce: z.boolean(), restsUntil: restsUntilSchema }),
} as const satisfies Endpoint

const params = z.object({ id: idSchema })

export const approveProposal = {
  method: 'POST',
  path: `${PROPOSALS}/{id}/approve`,
  access: 'superAdmin',
  stepUp: true,
  summary:
    'Approve a proposal that another super admin asked for. In force at once; a reset of second factors rests for 24 hours first',
  params,
  narration: ({ restsUntil }: { restsUntil: unknown }) =>
    restsUntil ? RESTS : 'Approved. It is in force now.',
  body: z.object({ restsUntil: restsUntilSchema }),
} as const satisfies Endpoint

export const declineProposal = {
  method: 'POST',
  path: `${PROPOSALS}/{id}/decline`,
  access: 'superAdmin',
  stepUp: true,
  summary:
    'Reject a proposal, or withdraw it if the caller asked for it. Stops one that rests, and ends the link of an invite',
  params,
  body: z.null(),
} as const satisfies Endpoint
