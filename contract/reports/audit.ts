/** The audit trail: each entry names its actor, its subject and the change. */
import { z } from 'zod'
import type { Role } from '../accounts/users.ts'
import { type ProposalKind, proposalKindNames, proposalKinds } from '../agreements/proposals.ts'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { listQuery, mayLag } from '../base/lists.ts'
import { timestampSchema } from '../base/timestamp.ts'
import type { Tone } from '../base/tones.ts'
import { type AuditSubject, auditSubjects } from './auditSubjects.ts'

/**
 * Every recorded action, its subject and its tone: red takes something away, amber needs a second
 * look. A refused decision is not recorded. The kind of an agreement names its subject.
 */
export const auditActions = {
  'agreement.asked': { subject: null, tone: 'amber' },
  'agreement.approved': { subject: null, tone: 'purple' },
  'agreement.declined': { subject: null, tone: 'red' },
  'user.registered': { subject: 'user', tone: 'grey' },
  'user.suspended': { subject: 'user', tone: 'red' },
  'user.resumed': { subject: 'user', tone: 'blue' },
  'session.started': { subject: 'user', tone: 'grey' },
  'session.newDevice': { subject: 'user', tone: 'amber' },
  'session.refused': { subject: 'user', tone: 'amber' },
  'session.throttled': { subject: 'user', tone: 'amber' },
  'session.ended': { subject: 'user', tone: 'grey' },
  'session.othersEnded': { subject: 'user', tone: 'amber' },
  'readingKey.made': { subject: 'user', tone: 'amber' },
  'readingKey.ended': { subject: 'user', tone: 'grey' },
  'account.frozen': { subject: 'user', tone: 'red' },
  'account.unfrozen': { subject: 'user', tone: 'blue' },
  'account.closed': { subject: 'user', tone: 'red' },
  'password.changed': { subject: 'user', tone: 'blue' },
  'password.resetAsked': { subject: 'user', tone: 'amber' },
  'password.reset': { subject: 'user', tone: 'amber' },
  'data.exported': { subject: 'user', tone: 'amber' },
  'email.linkAsked': { subject: 'user', tone: 'grey' },
  'email.confirmed': { subject: 'user', tone: 'blue' },
  'email.changeAsked': { subject: 'user', tone: 'amber' },
  'email.changed': { subject: 'user', tone: 'amber' },
  'factor.added': { subject: 'user', tone: 'blue' },
  'factor.renamed': { subject: 'user', tone: 'grey' },
  'factor.removed': { subject: 'user', tone: 'amber' },
  'factor.codesRenewed': { subject: 'user', tone: 'blue' },
  'factor.codeUsed': { subject: 'user', tone: 'amber' },
  'factor.refused': { subject: 'user', tone: 'amber' },
  'factor.reset': { subject: 'user', tone: 'red' },
  'factor.resetAsked': { subject: 'user', tone: 'amber' },
  'factor.resetApproved': { subject: 'user', tone: 'red' },
  'factor.resetStopped': { subject: 'user', tone: 'blue' },
  'role.granted': { subject: 'user', tone: 'purple' },
  'role.revoked': { subject: 'user', tone: 'purple' },
  'invite.accepted': { subject: 'user', tone: 'purple' },
  'note.added': { subject: 'user', tone: 'grey' },
  'mail.resent': { subject: 'user', tone: 'blue' },
  'payout.saved': { subject: 'user', tone: 'blue' },
  'payout.ended': { subject: 'user', tone: 'amber' },
  'wallet.added': { subject: 'wallet', tone: 'blue' },
  'wallet.listAdded': { subject: 'wallet', tone: 'blue' },
  'wallet.deleted': { subject: 'wallet', tone: 'red' },
  'wallet.archived': { subject: 'wallet', tone: 'amber' },
  'wallet.restored': { subject: 'wallet', tone: 'blue' },
  'wallet.keyAdded': { subject: 'wallet', tone: 'blue' },
  'wallet.derived': { subject: 'wallet', tone: 'blue' },
  'wallet.keyEnded': { subject: 'wallet', tone: 'red' },
  'deposit.unannounced': { subject: 'transaction', tone: 'amber' },
  'deposit.firstApproval': { subject: 'transaction', tone: 'amber' },
  'deposit.confirmed': { subject: 'transaction', tone: 'green' },
  'deposit.rejected': { subject: 'transaction', tone: 'red' },
  'deposit.cancelled': { subject: 'transaction', tone: 'grey' },
  'deposit.expired': { subject: 'transaction', tone: 'grey' },
  'deposit.reversed': { subject: 'transaction', tone: 'red' },
  'deposit.collected': { subject: 'transaction', tone: 'amber' },
  'deposit.writtenOff': { subject: 'transaction', tone: 'purple' },
  'withdrawal.firstApproval': { subject: 'transaction', tone: 'amber' },
  'withdrawal.approved': { subject: 'transaction', tone: 'green' },
  'withdrawal.rejected': { subject: 'transaction', tone: 'red' },
  'withdrawal.cancelled': { subject: 'transaction', tone: 'grey' },
  'withdrawal.sent': { subject: 'transaction', tone: 'blue' },
  'withdrawal.completed': { subject: 'transaction', tone: 'green' },
  'withdrawal.returned': { subject: 'transaction', tone: 'red' },
  'capital.contributed': { subject: 'contribution', tone: 'green' },
  'switch.paused': { subject: 'switch', tone: 'red' },
  'switch.resumed': { subject: 'switch', tone: 'blue' },
  'limits.changed': { subject: 'limits', tone: 'red' },
  'signingKey.published': { subject: 'signingKey', tone: 'blue' },
  'liabilities.published': { subject: 'liabilities', tone: 'grey' },
  'mode.set': { subject: 'mode', tone: 'purple' },
  'key.leaked': { subject: 'key', tone: 'red' },
  'rate.set': { subject: 'rate', tone: 'purple' },
  'arrival.unseen': { subject: 'arrival', tone: 'red' },
  'arrival.settled': { subject: 'arrival', tone: 'blue' },
  'borrower.recorded': { subject: 'borrower', tone: 'blue' },
  'borrower.corrected': { subject: 'borrower', tone: 'amber' },
  'loan.recorded': { subject: 'loan', tone: 'blue' },
  'loan.reserved': { subject: 'loan', tone: 'blue' },
  'loan.released': { subject: 'loan', tone: 'blue' },
  'loan.disbursed': { subject: 'loan', tone: 'purple' },
  'loan.repaid': { subject: 'loan', tone: 'green' },
  'loan.repaymentReversed': { subject: 'loan', tone: 'red' },
  'loan.defaulted': { subject: 'loan', tone: 'red' },
  'loan.writtenOff': { subject: 'loan', tone: 'red' },
  'loan.recovered': { subject: 'loan', tone: 'green' },
  'loan.restructured': { subject: 'loan', tone: 'purple' },
  'loan.withdrawn': { subject: 'loan', tone: 'grey' },
  'loan.turnedDown': { subject: 'loan', tone: 'red' },
  'loan.collateralAdded': { subject: 'loan', tone: 'blue' },
  'loan.collateralWithdrawn': { subject: 'loan', tone: 'amber' },
  'loan.documentAdded': { subject: 'loan', tone: 'blue' },
  'loan.documentWithdrawn': { subject: 'loan', tone: 'amber' },
  'loan.updated': { subject: 'loan', tone: 'blue' },
  'borrower.documentAdded': { subject: 'borrower', tone: 'blue' },
  'borrower.documentWithdrawn': { subject: 'borrower', tone: 'amber' },
  'loss.covered': { subject: 'loss', tone: 'purple' },
  'loss.announced': { subject: 'loss', tone: 'red' },
  'loss.shared': { subject: 'loss', tone: 'purple' },
  'alarm.raised': { subject: 'alarm', tone: 'red' },
  'alarm.settled': { subject: 'alarm', tone: 'blue' },
  'fee.paid': { subject: 'fee', tone: 'grey' },
  'fee.returned': { subject: 'fee', tone: 'amber' },
  'coins.compared': { subject: 'custody', tone: 'grey' },
  'batch.made': { subject: 'batch', tone: 'blue' },
  'batch.approved': { subject: 'batch', tone: 'green' },
  'batch.fileTaken': { subject: 'batch', tone: 'grey' },
  'batch.sent': { subject: 'batch', tone: 'purple' },
  'batch.restFreed': { subject: 'batch', tone: 'amber' },
  'batch.givenUp': { subject: 'batch', tone: 'red' },
  'windDown.begun': { subject: 'windDown', tone: 'red' },
  'windDown.calledOff': { subject: 'windDown', tone: 'purple' },
  'capital.withdrawn': { subject: 'windDown', tone: 'purple' },
  'statement.taken': { subject: 'statement', tone: 'grey' },
  'chain.reset': { subject: 'chain', tone: 'red' },
  'skip.done': { subject: 'chain', tone: 'red' },
  'skip.ended': { subject: 'chain', tone: 'red' },
} as const satisfies Readonly<Record<string, { subject: AuditSubject | null; tone: Tone }>>
export type AuditAction = keyof typeof auditActions
/** The subject of an entry with this action. */
export type SubjectOf<Action extends AuditAction> =
  (typeof auditActions)[Action]['subject'] extends infer Subject extends AuditSubject
    ? Subject
    : AuditSubject
export const auditActionNames = Object.keys(auditActions) as AuditAction[]

/** Entries about accounts hold emails and IP addresses. Admins do not read them. */
export const ACCOUNTS: AuditSubject = 'user'

/** True for the roles that read entries about accounts too. */
export const readsAccounts = (role: Role): boolean => ['SUPER_ADMIN', 'AUDITOR'].includes(role)

/** The actions that a role may read. */
export const auditActionsFor = (role: Role): readonly AuditAction[] =>
  readsAccounts(role)
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

/** The kinds of agreements that a role may read of. */
export const agreementsFor = (role: Role): readonly ProposalKind[] =>
  readsAccounts(role)
    ? proposalKindNames
    : proposalKindNames.filter((kind) => proposalKinds[kind].subject !== ACCOUNTS)

const lists = {
  sorts: ['createdAt'],
  filters: { action: auditActionNames, agreement: proposalKindNames },
} as const

/**
 * `search` finds the start of the actor's email, a user's whole email, or the id of an actor, owner
 * or subject.
 */
export const listAudit = {
  method: 'GET',
  path: '/api/v1/admin/audit',
  access: 'staff',
  summary:
    'List the audit trail, newest first by default. Only super admins and auditors get entries about accounts, such as sign-ins and roles',
  query: listQuery(lists).extend({ mayLag }),
  paged: lists,
  lags: true,
  body: z.array(auditEntrySchema),
} as const satisfies Endpoint
