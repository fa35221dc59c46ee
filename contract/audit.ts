/** The audit trail: who did what, when, from where, and what it changed. */
import { z } from 'zod'
import { type Endpoint, idSchema } from './endpoint.ts'
import { listQuery, severalOf } from './lists.ts'
import { timestampSchema } from './timestamp.ts'

/** Everything that is put on record. A refused decision changes nothing and is not; a refused sign-in is. */
export const auditActions = [
  'user.registered',
  'user.suspended',
  'user.resumed',
  'session.started',
  'session.refused',
  'password.changed',
  'role.granted',
  'role.revoked',
  'payout.saved',
  'wallet.added',
  'wallet.deleted',
  'deposit.confirmed',
  'deposit.expired',
  'withdrawal.firstApproval',
  'withdrawal.approved',
  'withdrawal.rejected',
  'capital.contributed',
  'switch.paused',
  'switch.resumed',
] as const
export type AuditAction = (typeof auditActions)[number]

export const auditSubjects = ['user', 'wallet', 'transaction', 'contribution', 'switch'] as const
export type AuditSubject = (typeof auditSubjects)[number]

/** What something was before or after; amounts in dollars. */
const stateSchema = z.record(z.string(), z.unknown()).nullable()

export const auditEntrySchema = z.object({
  id: z.number().int(),
  at: timestampSchema,
  /** The user who did it; null for the system, the operator, and whoever was not let in. */
  actorId: idSchema.nullable(),
  /** A username, `system`, or `operator` with a name. Of a refused sign-in: the email that was tried. */
  actor: z.string(),
  action: z.enum(auditActions),
  subjectType: z.enum(auditSubjects),
  subjectId: z.string(),
  /** The person whom it concerns. */
  ownerId: idSchema.nullable(),
  /** The address of the client, or `operator`, or `job`. */
  source: z.string(),
  before: stateSchema,
  after: stateSchema,
  reason: z.string().nullable(),
  /** The place in the hash chain and the hash there; null for the second in which it waits for them. */
  position: z.number().int().nullable(),
  hash: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** `search`: the beginning of the actor's email, a user's email in full, or the id of an actor, an owner or a subject. */
export const listAudit = {
  method: 'GET',
  path: '/api/v1/admin/audit',
  access: 'staff',
  summary: 'The audit trail, newest first unless the query says otherwise',
  query: listQuery(['createdAt'], { action: severalOf(auditActions) }),
  paged: true,
  body: z.array(auditEntrySchema),
} as const satisfies Endpoint
