/** Changes of roles and suspensions, which two super admins decide about where there are two. */
import { z } from 'zod'
import { type Endpoint, idSchema, ownerSchema } from './endpoint.ts'
import { textSchema } from './fields.ts'
import { validation } from './messages.ts'
import { timestampSchema } from './timestamp.ts'
import { roleTypes } from './users.ts'

const ACCESS_CHANGES = '/api/v1/admin/access-changes'

export const accessChangeKinds = ['GRANT', 'REVOKE', 'SUSPEND', 'RESUME'] as const
export type AccessChangeKind = (typeof accessChangeKinds)[number]

/** Days for which a request can be approved. */
export const ACCESS_CHANGE_DAYS = 7

const reason = textSchema().min(1, validation.reasonRequired)
const userId = idSchema
const askSchema = z.discriminatedUnion('kind', [
  z.object({ userId, reason, kind: z.enum(['GRANT', 'REVOKE']), role: z.enum(roleTypes) }),
  z.object({ userId, reason, kind: z.enum(['SUSPEND', 'RESUME']) }),
])
export type AskedChange = z.infer<typeof askSchema>

export const accessChangeSchema = z.object({
  id: idSchema,
  userId: idSchema,
  /** The email of the user whose access changes. */
  username: z.string(),
  kind: z.enum(accessChangeKinds),
  role: z.enum(roleTypes).nullable(),
  reason: z.string(),
  askedById: idSchema,
  /** The email of the super admin who asked. */
  askedBy: z.string(),
  askedAt: timestampSchema,
})
export type AccessChange = z.infer<typeof accessChangeSchema>

export const listAccessChanges = {
  method: 'GET',
  path: ACCESS_CHANGES,
  access: 'superAdmin',
  summary: `List the changes of access that wait for a second super admin, at most ${ACCESS_CHANGE_DAYS} days`,
  query: z.object({ userId: ownerSchema }),
  body: z.array(accessChangeSchema),
} as const satisfies Endpoint

export const askAccessChange = {
  method: 'POST',
  path: ACCESS_CHANGES,
  access: 'superAdmin',
  stepUp: true,
  summary:
    'Ask to grant or revoke a role, or to suspend or resume a user. In force once a second super admin approves, and at once where there is only one',
  payload: askSchema,
  narration: ({ isInForce }: { isInForce: boolean }) =>
    isInForce
      ? 'Done. You are the only super admin, so it is in force now.'
      : 'Asked for. It is in force once a second super admin approves it.',
  body: z.object({ id: idSchema, isInForce: z.boolean() }),
} as const satisfies Endpoint

const params = z.object({ id: idSchema })

export const approveAccessChange = {
  method: 'POST',
  path: `${ACCESS_CHANGES}/{id}/approve`,
  access: 'superAdmin',
  stepUp: true,
  summary: 'Approve a change of access that another super admin asked for. In force at once',
  params,
  narration: 'Approved. It is in force now.',
  body: z.null(),
} as const satisfies Endpoint

export const declineAccessChange = {
  method: 'POST',
  path: `${ACCESS_CHANGES}/{id}/decline`,
  access: 'superAdmin',
  stepUp: true,
  summary: 'Reject a change of access, or withdraw it if the caller asked for it',
  params,
  body: z.null(),
} as const satisfies Endpoint
