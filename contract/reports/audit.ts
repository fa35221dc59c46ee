/** The audit trail: each entry names its actor, its subject and the change. */
import { z } from 'zod'
import type { Role } from '../accounts/users.ts'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { listQuery, mayLag } from '../base/lists.ts'
import { timestampSchema } from '../base/timestamp.ts'
import type { Tone } from '../base/tones.ts'

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
  'mode',
  'key',
  'rate',
  'arrival',
  'borrower',
  'loan',
  'loss',
  'alarm',
  'fee',
  'custody',
  'batch',
  'plan',
  'signingKey',
  'liabilities',
  'windDown',
  'statement',
  'chain',
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
  'access.asked': { subject: 'user', tone: 'amber' },
  'access.approved': { subject: 'user', tone: 'blue' },
  'access.rejected': { subject: 'user', tone: 'red' },
  'access.withdrawn': { subject: 'user', tone: 'grey' },
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
  'wallet.asked': { subject: 'wallet', tone: 'amber' },
  'wallet.approved': { subject: 'wallet', tone: 'blue' },
  'wallet.declined': { subject: 'wallet', tone: 'red' },
  'deposit.unannounced': { subject: 'transaction', tone: 'amber' },
  'deposit.firstApproval': { subject: 'transaction', tone: 'amber' },
  'deposit.confirmed': { subject: 'transaction', tone: 'green' },
  'deposit.rejected': { subject: 'transaction', tone: 'red' },
  'deposit.cancelled': { subject: 'transaction', tone: 'grey' },
  'deposit.expired': { subject: 'transaction', tone: 'grey' },
  'deposit.reversed': { subject: 'transaction', tone: 'red' },
  'deposit.collected': { subject: 'transaction', tone: 'amber' },
  'writeOff.asked': { subject: 'transaction', tone: 'amber' },
  'writeOff.approved': { subject: 'transaction', tone: 'blue' },
  'writeOff.declined': { subject: 'transaction', tone: 'red' },
  'deposit.writtenOff': { subject: 'transaction', tone: 'purple' },
  'withdrawal.firstApproval': { subject: 'transaction', tone: 'amber' },
  'withdrawal.approved': { subject: 'transaction', tone: 'green' },
  'withdrawal.rejected': { subject: 'transaction', tone: 'red' },
  'withdrawal.cancelled': { subject: 'transaction', tone: 'grey' },
  'withdrawal.sent': { subject: 'transaction', tone: 'blue' },
  'withdrawal.completed': { subject: 'transaction', tone: 'green' },
  'return.asked': { subject: 'transaction', tone: 'amber' },
  'return.approved': { subject: 'transaction', tone: 'blue' },
  'return.declined': { subject: 'transaction', tone: 'red' },
  'completion.asked': { subject: 'transaction', tone: 'amber' },
  'completion.approved': { subject: 'transaction', tone: 'green' },
  'completion.declined': { subject: 'transaction', tone: 'red' },
  'withdrawal.returned': { subject: 'transaction', tone: 'red' },
  'capital.asked': { subject: 'contribution', tone: 'amber' },
  'capital.agreed': { subject: 'contribution', tone: 'green' },
  'capital.declined': { subject: 'contribution', tone: 'grey' },
  'capital.contributed': { subject: 'contribution', tone: 'green' },
  'switch.paused': { subject: 'switch', tone: 'red' },
  'switch.resumed': { subject: 'switch', tone: 'blue' },
  'limits.changed': { subject: 'limits', tone: 'red' },
  'signingKey.published': { subject: 'signingKey', tone: 'blue' },
  'liabilities.published': { subject: 'liabilities', tone: 'grey' },
  'mode.set': { subject: 'mode', tone: 'purple' },
  'key.leaked': { subject: 'key', tone: 'red' },
  'rate.asked': { subject: 'rate', tone: 'amber' },
  'rate.approved': { subject: 'rate', tone: 'blue' },
  'rate.declined': { subject: 'rate', tone: 'red' },
  'rate.set': { subject: 'rate', tone: 'purple' },
  'arrival.unseen': { subject: 'arrival', tone: 'red' },
  'arrival.settled': { subject: 'arrival', tone: 'blue' },
  'borrower.recorded': { subject: 'borrower', tone: 'blue' },
  'borrower.corrected': { subject: 'borrower', tone: 'amber' },
  'loan.recorded': { subject: 'loan', tone: 'blue' },
  'loan.approvalAsked': { subject: 'loan', tone: 'amber' },
  'loan.approved': { subject: 'loan', tone: 'green' },
  'loan.disbursementAsked': { subject: 'loan', tone: 'amber' },
  'loan.disbursementAgreed': { subject: 'loan', tone: 'green' },
  'loan.sendingAsked': { subject: 'loan', tone: 'amber' },
  'loan.sendingAgreed': { subject: 'loan', tone: 'green' },
  'loan.reserved': { subject: 'loan', tone: 'blue' },
  'loan.releaseAsked': { subject: 'loan', tone: 'amber' },
  'loan.releaseAgreed': { subject: 'loan', tone: 'amber' },
  'loan.released': { subject: 'loan', tone: 'blue' },
  'loan.declined': { subject: 'loan', tone: 'red' },
  'loan.disbursed': { subject: 'loan', tone: 'purple' },
  'loan.repaid': { subject: 'loan', tone: 'green' },
  'loan.repaymentAsked': { subject: 'loan', tone: 'amber' },
  'loan.repaymentAgreed': { subject: 'loan', tone: 'green' },
  'loan.reversalAsked': { subject: 'loan', tone: 'amber' },
  'loan.reversalAgreed': { subject: 'loan', tone: 'amber' },
  'repaymentFile.asked': { subject: 'loan', tone: 'amber' },
  'repaymentFile.approved': { subject: 'loan', tone: 'green' },
  'repaymentFile.declined': { subject: 'loan', tone: 'red' },
  'loan.repaymentReversed': { subject: 'loan', tone: 'red' },
  'loan.defaultAsked': { subject: 'loan', tone: 'amber' },
  'loan.defaultAgreed': { subject: 'loan', tone: 'amber' },
  'loan.defaulted': { subject: 'loan', tone: 'red' },
  'loan.writeOffAsked': { subject: 'loan', tone: 'amber' },
  'loan.writeOffAgreed': { subject: 'loan', tone: 'amber' },
  'loan.writtenOff': { subject: 'loan', tone: 'red' },
  'loan.recoveryAsked': { subject: 'loan', tone: 'amber' },
  'loan.recoveryAgreed': { subject: 'loan', tone: 'green' },
  'loan.recovered': { subject: 'loan', tone: 'green' },
  'loan.termsAsked': { subject: 'loan', tone: 'amber' },
  'loan.termsAgreed': { subject: 'loan', tone: 'green' },
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
  'loss.coverAsked': { subject: 'loss', tone: 'amber' },
  'loss.coverAgreed': { subject: 'loss', tone: 'amber' },
  'loss.declined': { subject: 'loss', tone: 'red' },
  'loss.covered': { subject: 'loss', tone: 'purple' },
  'loss.shareAsked': { subject: 'loss', tone: 'amber' },
  'loss.announced': { subject: 'loss', tone: 'red' },
  'loss.shareDeclined': { subject: 'loss', tone: 'red' },
  'loss.shared': { subject: 'loss', tone: 'purple' },
  'alarm.raised': { subject: 'alarm', tone: 'red' },
  'alarm.settled': { subject: 'alarm', tone: 'blue' },
  'settlement.asked': { subject: 'alarm', tone: 'amber' },
  'settlement.approved': { subject: 'alarm', tone: 'purple' },
  'settlement.declined': { subject: 'alarm', tone: 'red' },
  'fee.paid': { subject: 'fee', tone: 'grey' },
  'fee.returned': { subject: 'fee', tone: 'amber' },
  'address.asked': { subject: 'custody', tone: 'amber' },
  'address.approved': { subject: 'custody', tone: 'purple' },
  'address.declined': { subject: 'custody', tone: 'red' },
  'opening.asked': { subject: 'custody', tone: 'amber' },
  'opening.approved': { subject: 'custody', tone: 'purple' },
  'opening.declined': { subject: 'custody', tone: 'red' },
  'coins.compared': { subject: 'custody', tone: 'grey' },
  'break.asked': { subject: 'custody', tone: 'amber' },
  'break.approved': { subject: 'custody', tone: 'purple' },
  'break.declined': { subject: 'custody', tone: 'red' },
  'batch.made': { subject: 'batch', tone: 'blue' },
  'batch.approved': { subject: 'batch', tone: 'green' },
  'batch.fileTaken': { subject: 'batch', tone: 'grey' },
  'batch.sent': { subject: 'batch', tone: 'purple' },
  'batch.restFreed': { subject: 'batch', tone: 'amber' },
  'batch.givenUp': { subject: 'batch', tone: 'red' },
  'plan.asked': { subject: 'plan', tone: 'amber' },
  'plan.approved': { subject: 'plan', tone: 'purple' },
  'plan.declined': { subject: 'plan', tone: 'red' },
  'windDown.asked': { subject: 'windDown', tone: 'amber' },
  'windDown.begun': { subject: 'windDown', tone: 'red' },
  'windDown.declined': { subject: 'windDown', tone: 'red' },
  'windDown.endAsked': { subject: 'windDown', tone: 'amber' },
  'windDown.calledOff': { subject: 'windDown', tone: 'purple' },
  'windDown.endDeclined': { subject: 'windDown', tone: 'red' },
  'capital.withdrawalAsked': { subject: 'windDown', tone: 'amber' },
  'capital.withdrawalAgreed': { subject: 'windDown', tone: 'amber' },
  'capital.withdrawalDeclined': { subject: 'windDown', tone: 'red' },
  'capital.withdrawn': { subject: 'windDown', tone: 'purple' },
  'statement.taken': { subject: 'statement', tone: 'grey' },
  'chain.reset': { subject: 'chain', tone: 'red' },
  'skip.asked': { subject: 'chain', tone: 'amber' },
  'skip.approved': { subject: 'chain', tone: 'purple' },
  'skip.declined': { subject: 'chain', tone: 'red' },
  'skip.done': { subject: 'chain', tone: 'red' },
  'skip.ended': { subject: 'chain', tone: 'red' },
} as const satisfies Readonly<Record<string, { subject: AuditSubject; tone: Tone }>>
export type AuditAction = keyof typeof auditActions
/** The subject of an entry with this action. */
export type SubjectOf<Action extends AuditAction> = (typeof auditActions)[Action]['subject']
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
    'List the audit trail, newest first by default. Only super admins and auditors get entries about accounts, such as sign-ins and roles',
  query: listQuery(lists).extend({ mayLag }),
  paged: lists,
  lags: true,
  body: z.array(auditEntrySchema),
} as const satisfies Endpoint
