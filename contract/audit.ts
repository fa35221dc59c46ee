/** The audit trail: who did what, when, from where, and what it changed. */
import { z } from 'zod'
import { type Endpoint, idSchema } from './endpoint.ts'
import { listQuery, severalOf } from './lists.ts'
import { timestampSchema } from './timestamp.ts'
import type { Role } from './users.ts'

/** A pause is a `switch` here: entries are signed as they were written, and this word is in them. */
export const auditSubjects = [
  'user',
  'wallet',
  'transaction',
  'contribution',
  'switch',
  'limits',
] as const
export type AuditSubject = (typeof auditSubjects)[number]

/**
 * Everything that is put on record, with what it is about. A refused decision changes nothing and
 * is not; a refused sign-in is.
 */
const subjectOf = {
  'user.registered': 'user',
  'user.suspended': 'user',
  'user.resumed': 'user',
  'session.started': 'user',
  'session.refused': 'user',
  'session.ended': 'user',
  'password.changed': 'user',
  'role.granted': 'user',
  'role.revoked': 'user',
  'payout.saved': 'user',
  'wallet.added': 'wallet',
  'wallet.deleted': 'wallet',
  'deposit.firstApproval': 'transaction',
  'deposit.confirmed': 'transaction',
  'deposit.expired': 'transaction',
  'withdrawal.firstApproval': 'transaction',
  'withdrawal.approved': 'transaction',
  'withdrawal.rejected': 'transaction',
  'capital.contributed': 'contribution',
  'switch.paused': 'switch',
  'switch.resumed': 'switch',
  'limits.changed': 'limits',
} as const satisfies Readonly<Record<string, AuditSubject>>
export type AuditAction = keyof typeof subjectOf
/** The subject that an entry of this action has. */
export type SubjectOf<Action extends AuditAction> = (typeof subjectOf)[Action]
export const auditActions = (): readonly AuditAction[] => Object.keys(subjectOf) as AuditAction[]

/**
 * Entries about accounts hold emails and IP addresses. Super admins alone read them, like the list
 * of users.
 */
export const ACCOUNTS: AuditSubject = 'user'

/**
 * The actions of which a role may read: all for a super admin, what is not about accounts for an
 * admin.
 */
export const auditActionsFor = (role: Role): readonly AuditAction[] =>
  role === 'SUPER_ADMIN'
    ? auditActions()
    : auditActions().filter((action) => subjectOf[action] !== ACCOUNTS)

/** What something was before or after; amounts in dollars. */
const stateSchema = z.record(z.string(), z.unknown()).nullable()

export const auditEntrySchema = z.object({
  id: z.number().int(),
  at: timestampSchema,
  /** The user who did it; null for the system, the operator, and whoever was not let in. */
  actorId: idSchema.nullable(),
  /**
   * A username, `system`, or `operator` with a name. Of a refused sign-in: the email that was
   * tried.
   */
  actor: z.string(),
  action: z.enum(auditActions()),
  subjectType: z.enum(auditSubjects),
  subjectId: z.string(),
  /** The person whom it concerns. */
  ownerId: idSchema.nullable(),
  /** The address of the client, or `operator`, or `job`. */
  source: z.string(),
  before: stateSchema,
  after: stateSchema,
  reason: z.string().nullable(),
  /**
   * The place in the hash chain and the hash there; null for the second in which it waits for them.
   */
  position: z.number().int().nullable(),
  hash: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

/**
 * `search`, among the entries that the caller may read: the beginning of the actor's email, a
 * user's email in full, or the id of an actor, an owner or a subject.
 */
export const listAudit = {
  method: 'GET',
  path: '/api/v1/admin/audit',
  access: 'staff',
  summary:
    'The audit trail, newest first unless the query says otherwise; what is about accounts, such as sign-ins and roles, for super admins alone',
  query: listQuery(['createdAt'], { action: severalOf(auditActions()) }),
  paged: true,
  body: z.array(auditEntrySchema),
} as const satisfies Endpoint
