/** The audit trail: each entry names its actor, its subject and the change. */
import { z } from 'zod'
import { type Endpoint, idSchema } from './endpoint.ts'
import { listQuery } from './lists.ts'
import { timestampSchema } from './timestamp.ts'
import type { Tone } from './tones.ts'
import type { Role } from './users.ts'

/**
 * A pause is a `switch` here, and a payout address a `payout`: signed entries hold these words.
 */
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
 * Every recorded action, its subject and its tone: red takes something away, amber needs a second
 * look. A refused decision is not recorded.
 */
export const auditActions = {
  'user.registered': { subject: 'user', tone: 'grey' },
  'user.suspended': { subject: 'user', tone: 'red' },
  'user.resumed': { subject: 'user', tone: 'blue' },
  'session.started': { subject: 'user', tone: 'grey' },
  'session.refused': { subject: 'user', tone: 'amber' },
  'session.ended': { subject: 'user', tone: 'grey' },
  'password.changed': { subject: 'user', tone: 'blue' },
  'role.granted': { subject: 'user', tone: 'purple' },
  'role.revoked': { subject: 'user', tone: 'purple' },
  'payout.saved': { subject: 'user', tone: 'blue' },
  'wallet.added': { subject: 'wallet', tone: 'blue' },
  'wallet.deleted': { subject: 'wallet', tone: 'red' },
  'deposit.firstApproval': { subject: 'transaction', tone: 'amber' },
  'deposit.confirmed': { subject: 'transaction', tone: 'green' },
  'deposit.expired': { subject: 'transaction', tone: 'grey' },
  'withdrawal.firstApproval': { subject: 'transaction', tone: 'amber' },
  'withdrawal.approved': { subject: 'transaction', tone: 'green' },
  'withdrawal.rejected': { subject: 'transaction', tone: 'red' },
  'capital.contributed': { subject: 'contribution', tone: 'green' },
  'switch.paused': { subject: 'switch', tone: 'red' },
  'switch.resumed': { subject: 'switch', tone: 'blue' },
  'limits.changed': { subject: 'limits', tone: 'red' },
} as const satisfies Readonly<Record<string, { subject: AuditSubject; tone: Tone }>>
export type AuditAction = keyof typeof auditActions
/** The subject of an entry with this action. */
export type SubjectOf<Action extends AuditAction> = (typeof auditActions)[Action]['subject']
export const auditActionNames = Object.keys(auditActions) as AuditAction[]

/** Entries about accounts hold emails and IP addresses. Only super admins read them. */
export const ACCOUNTS: AuditSubject = 'user'

/** The actions that a role may read: all for a super admin, none about accounts for an admin. */
export const auditActionsFor = (role: Role): readonly AuditAction[] =>
  role === 'SUPER_ADMIN'
    ? auditActionNames
    : auditActionNames.filter((action) => auditActions[action].subject !== ACCOUNTS)

/** The state before or after an action; amounts in dollars. */
const stateSchema = z.record(z.string(), z.unknown()).nullable()

export const auditEntrySchema = z.object({
  id: z.number().int(),
  at: timestampSchema,
  /** The acting user. Null for the system, the operator and a refused sign-in. */
  actorId: idSchema.nullable(),
  /**
   * A username, `system`, or `operator` with a name. A refused sign-in has the email that was
   * tried.
   */
  actor: z.string(),
  action: z.enum(auditActionNames),
  subjectType: z.enum(auditSubjects),
  subjectId: z.string(),
  /** The user that the entry concerns. */
  ownerId: idSchema.nullable(),
  /** The client's IP address, or `operator`, or `job`. */
  source: z.string(),
  before: stateSchema,
  after: stateSchema,
  reason: z.string().nullable(),
  /**
   * The place in the hash chain, and the hash there. Null until the job seals the entry, within a
   * second.
   */
  position: z.number().int().nullable(),
  hash: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

const lists = { sorts: ['createdAt'], filters: { action: auditActionNames } } as const

/**
 * `search` finds the start of the actor's email, a user's whole email, or the id of an actor, owner
 * or subject.
 */
export const listAudit = {
  method: 'GET',
  path: '/api/v1/admin/audit',
  access: 'staff',
  summary:
    'List the audit trail, newest first by default. Only super admins get entries about accounts, such as sign-ins and roles',
  query: listQuery(lists),
  paged: lists,
  body: z.array(auditEntrySchema),
} as const satisfies Endpoint
