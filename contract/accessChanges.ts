/** Roles, suspensions, lost factors and invites: two super admins decide, where there are two. */
import { z } from 'zod'
import { type Endpoint, idSchema, ownerSchema } from './endpoint.ts'
import { textSchema } from './fields.ts'
import { inviteeSchema } from './invites.ts'
import { validation } from './messages.ts'
import { timestampSchema } from './timestamp.ts'
import { roleTypes } from './users.ts'

const ACCESS_CHANGES = '/api/v1/admin/access-changes'

export const accessChangeKinds = [
  'GRANT',
  'REVOKE',
  'SUSPEND',
  'RESUME',
  'RESET_FACTORS',
  'INVITE',
] as const
export type AccessChangeKind = (typeof accessChangeKinds)[number]

/** Days for which a request can be approved. */
export const ACCESS_CHANGE_DAYS = 7

const reason = textSchema().min(1, validation.reasonRequired)
const userId = idSchema
const askSchema = z.discriminatedUnion('kind', [
  z.object({ userId, reason, kind: z.enum(['GRANT', 'REVOKE']), role: z.enum(roleTypes) }),
  z.object({ userId, reason, kind: z.enum(['SUSPEND', 'RESUME', 'RESET_FACTORS']) }),
  inviteeSchema.extend({ reason, kind: z.literal('INVITE') }),
])
export type AskedChange = z.infer<typeof askSchema>

const restsUntilSchema = timestampSchema.nullable()

export const accessChangeSchema = z.object({
  id: idSchema,
  /** Null for an invite, whose account does not exist yet. */
  userId: idSchema.nullable(),
  /** The email of the user whose access changes, or who is invited. */
  username: z.string(),
  kind: z.enum(accessChangeKinds),
  role: z.enum(roleTypes).nullable(),
  reason: z.string(),
  askedById: idSchema,
  /** The email of the super admin who asked. */
  askedBy: z.string(),
  askedAt: timestampSchema,
  /** Of an approved reset of second factors: the moment from which it has effect. */
  restsUntil: restsUntilSchema,
  /** Of an approved invite: the end of its link. */
  linkUntil: timestampSchema.nullable(),
})
export type AccessChange = z.infer<typeof accessChangeSchema>

export const listAccessChanges = {
  method: 'GET',
  path: ACCESS_CHANGES,
  access: 'superAdmin',
  summary: `List the changes of access that wait for a second super admin, at most ${ACCESS_CHANGE_DAYS} days, the approved resets of second factors that rest, and the invites whose link works`,
  query: z.object({ userId: ownerSchema }),
  body: z.array(accessChangeSchema),
} as const satisfies Endpoint

const RESTS = 'Approved. It has effect in 24 hours, unless its owner signs in with a factor.'

export const askAccessChange = {
  method: 'POST',
  path: ACCESS_CHANGES,
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

export const approveAccessChange = {
  method: 'POST',
  path: `${ACCESS_CHANGES}/{id}/approve`,
  access: 'superAdmin',
  stepUp: true,
  summary:
    'Approve a change of access that another super admin asked for. In force at once; a reset of second factors rests for 24 hours first',
  params,
  narration: ({ restsUntil }: { restsUntil: unknown }) =>
    restsUntil ? RESTS : 'Approved. It is in force now.',
  body: z.object({ restsUntil: restsUntilSchema }),
} as const satisfies Endpoint

export const declineAccessChange = {
  method: 'POST',
  path: `${ACCESS_CHANGES}/{id}/decline`,
  access: 'superAdmin',
  stepUp: true,
  summary:
    'Reject a change of access, or withdraw it if the caller asked for it. Stops a reset of second factors that rests, and ends the link of an invite',
  params,
  body: z.null(),
} as const satisfies Endpoint
