/** Notices: what happened to the caller's money and account, newest first. */
import { z } from 'zod'
import { deviceSchema } from '../accounts/sessions.ts'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import type { Tone } from '../base/tones.ts'
import * as validation from '../base/validation.ts'
import { pauseNames } from '../money/pauses.ts'
import type { TransactionType } from '../requests/transactions.ts'
import type { AuditAction } from './audit.ts'
import type { AuditSubject } from './auditSubjects.ts'

type NoticeFacts = {
  readonly about: 'money' | 'account' | 'pool' | 'staff'
  readonly tone: Tone
  /** True for acts of the owner that need no attention. They are never unread. */
  readonly isOwn?: true
  /** True if all staff are told, too. */
  readonly staff?: true
  /** Told by mail, unless its owner chose otherwise: `on` or `off` by default. */
  readonly mail?: 'on' | 'off'
}

/** Notices that come from an entry of the audit trail, by its action. */
const fromEntries = {
  'deposit.confirmed': { about: 'money', tone: 'green', mail: 'on' },
  'deposit.rejected': { about: 'money', tone: 'red', mail: 'off' },
  'deposit.cancelled': { about: 'money', tone: 'grey', isOwn: true },
  'deposit.expired': { about: 'money', tone: 'grey', mail: 'off' },
  'deposit.reversed': { about: 'money', tone: 'red', mail: 'on', staff: true },
  'deposit.writtenOff': { about: 'money', tone: 'blue', mail: 'off' },
  'withdrawal.approved': { about: 'money', tone: 'green', mail: 'on' },
  'withdrawal.rejected': { about: 'money', tone: 'red', mail: 'on' },
  'withdrawal.cancelled': { about: 'money', tone: 'grey', isOwn: true },
  'withdrawal.sent': { about: 'money', tone: 'blue', mail: 'on' },
  'withdrawal.completed': { about: 'money', tone: 'green', mail: 'off' },
  'withdrawal.returned': { about: 'money', tone: 'amber', mail: 'on' },
  'password.changed': { about: 'account', tone: 'blue' },
  'password.reset': { about: 'account', tone: 'amber' },
  'email.confirmed': { about: 'account', tone: 'blue' },
  'email.changeAsked': { about: 'account', tone: 'amber' },
  'email.changed': { about: 'account', tone: 'amber' },
  'factor.added': { about: 'account', tone: 'blue' },
  'factor.renamed': { about: 'account', tone: 'grey' },
  'factor.removed': { about: 'account', tone: 'amber' },
  'factor.codesRenewed': { about: 'account', tone: 'blue' },
  'factor.codeUsed': { about: 'account', tone: 'amber' },
  'factor.reset': { about: 'account', tone: 'red' },
  'factor.resetAsked': { about: 'account', tone: 'amber' },
  'factor.resetApproved': { about: 'account', tone: 'red' },
  'factor.resetStopped': { about: 'account', tone: 'blue' },
  'session.newDevice': { about: 'account', tone: 'amber' },
  'readingKey.made': { about: 'account', tone: 'amber' },
  'readingKey.ended': { about: 'account', tone: 'amber' },
  'session.othersEnded': { about: 'account', tone: 'grey' },
  'account.frozen': { about: 'account', tone: 'red' },
  'account.unfrozen': { about: 'account', tone: 'blue' },
  'user.suspended': { about: 'account', tone: 'red' },
  'user.resumed': { about: 'account', tone: 'blue' },
  'data.exported': { about: 'account', tone: 'amber' },
  'role.granted': { about: 'account', tone: 'purple' },
  'role.revoked': { about: 'account', tone: 'purple' },
  'payout.saved': { about: 'account', tone: 'blue' },
  'payout.ended': { about: 'account', tone: 'amber' },
  'wallet.archived': { about: 'account', tone: 'amber' },
  'wallet.restored': { about: 'account', tone: 'blue' },
  'arrival.unseen': { about: 'staff', tone: 'amber' },
  'skip.done': { about: 'staff', tone: 'amber' },
  'skip.ended': { about: 'staff', tone: 'red' },
  'alarm.raised': { about: 'staff', tone: 'red' },
  'switch.paused': { about: 'pool', tone: 'amber' },
  'switch.resumed': { about: 'pool', tone: 'blue' },
  'loss.announced': { about: 'pool', tone: 'red' },
  'windDown.begun': { about: 'pool', tone: 'red' },
  'windDown.calledOff': { about: 'pool', tone: 'blue' },
} as const satisfies Readonly<Partial<Record<AuditAction, NoticeFacts>>>

/** Notices of an agreement that waits for a second member of staff, by the subject of its kind. */
const fromAgreements = {
  'wallet.asked': { about: 'staff', tone: 'amber' },
  'rate.asked': { about: 'staff', tone: 'amber' },
} as const satisfies Partial<Record<`${AuditSubject}.asked`, NoticeFacts>>

/** Notices that come from a row of transactions, by its type. */
const fromTransactions = {
  'deposit.asked': { about: 'money', tone: 'grey', isOwn: true, mail: 'off' },
  'deposit.unannounced': { about: 'money', tone: 'blue', mail: 'off' },
  'withdrawal.asked': { about: 'money', tone: 'amber', mail: 'off' },
  'investment.opened': { about: 'money', tone: 'purple', isOwn: true, mail: 'off' },
  'investment.matured': { about: 'money', tone: 'green', mail: 'on' },
  'deposit.collected': { about: 'money', tone: 'amber', mail: 'off' },
  'loss.borne': { about: 'money', tone: 'red', mail: 'on' },
  'loss.returned': { about: 'money', tone: 'green', mail: 'on' },
} as const satisfies Readonly<Record<string, NoticeFacts>>

/** The notice that a new row of each type is. */
export const noticeOfType = {
  deposit: 'deposit.asked',
  withdrawal: 'withdrawal.asked',
  investment: 'investment.opened',
  payout: 'investment.matured',
  reversal: 'deposit.collected',
  loss: 'loss.borne',
  recovery: 'loss.returned',
} as const satisfies Readonly<Record<TransactionType, keyof typeof fromTransactions>>

const facts = { ...fromTransactions, ...fromEntries, ...fromAgreements }
export type NoticeKind = keyof typeof facts
/** The facts of each kind of notice. Its words are in the catalogues. */
export const noticeFacts: Readonly<Record<NoticeKind, NoticeFacts>> = facts
export const noticeKinds = Object.keys(facts) as NoticeKind[]

const actionsAbout = (...about: readonly NoticeFacts['about'][]) =>
  (Object.keys(fromEntries) as (keyof typeof fromEntries)[]).filter((action) =>
    about.includes(fromEntries[action].about),
  )
/** Actions whose entries are notices of their owner, of all investors, and of all staff. */
export const noticeActions = actionsAbout('money', 'account')
export const poolActions = actionsAbout('pool')
export const staffActions = [
  ...actionsAbout('staff'),
  ...actionsAbout('money', 'account').filter((action) => 'staff' in fromEntries[action]),
]

export const agreementNotices = Object.keys(fromAgreements)

type Mailed<Facts> = {
  [Kind in keyof Facts]: Facts[Kind] extends { readonly mail: string } ? Kind : never
}[keyof Facts]
export type MailedKind = Mailed<typeof facts>
/** The kinds that can be told by mail. Mails about security are always sent. */
export const mailedKinds = noticeKinds.filter(
  (kind): kind is MailedKind => noticeFacts[kind].mail !== undefined,
)

/** The kinds told by mail to users who chose nothing. */
export const mailedByDefault = mailedKinds.filter((kind) => noticeFacts[kind].mail === 'on')

/** The most unread notices that are counted. */
export const MOST_UNREAD = 100
/** The notices of a page, by default and at most. */
export const NOTICES_PAGE = 20
export const NOTICES_PAGE_MAXIMUM = 100

/** The parts of the list by their mark. */
export const noticeStates = ['unread', 'read'] as const
export type NoticeState = (typeof noticeStates)[number]

export const noticeSchema = z.object({
  id: idSchema,
  kind: z.enum(noticeKinds),
  at: timestampSchema,
  unread: z.boolean(),
  /** Of notices of money: the transaction, and its amount in dollars. A loss has one, too. */
  transactionId: idSchema.optional(),
  amount: dollarsSchema.optional(),
  /** The interest in a matured investment, or of an opened one. */
  interest: dollarsSchema.optional(),
  /** The moment from which an announced loss is shared. */
  countsAt: timestampSchema.optional(),
  /** The reason of a rejection, of a withdrawal given back, or of a pause. */
  reason: z.string().optional(),
  /** The paused or resumed part of the pool. */
  pause: z.enum(pauseNames).optional(),
  /** The device of a sign-in that was new to the account. */
  device: deviceSchema.optional(),
})
export type Notice = z.infer<typeof noticeSchema>

/** The number of unread notices: {@link MOST_UNREAD} stands for that many or more. */
const unreadSchema = z.number().int().min(0).max(MOST_UNREAD)

const limitSchema = z
  .string()
  .regex(/^\d{1,3}$/, validation.limitInvalid)
  .transform(Number)
  .pipe(
    z.number().min(0, validation.limitInvalid).max(NOTICES_PAGE_MAXIMUM, validation.limitInvalid),
  )

export const listNotices = {
  method: 'GET',
  path: '/api/v1/user/notices',
  access: 'user',
  summary: `List the caller's notices, newest first, with the number of unread ones up to ${MOST_UNREAD}`,
  query: z.object({
    limit: limitSchema
      .optional()
      .describe(`Notices in a page, at most ${NOTICES_PAGE_MAXIMUM}; 0 asks for the count alone.`),
    cursor: z
      .string()
      .regex(/^\d{1,16}\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, validation.cursorInvalid)
      .optional()
      .describe('`next` of the response before.'),
    state: z.enum(noticeStates).optional().describe('Only unread notices, or only others.'),
  }),
  body: z.object({
    notices: z.array(noticeSchema),
    unread: unreadSchema,
    /** The cursor of the next page, or null. */
    next: z.string().nullable(),
  }),
} as const satisfies Endpoint

export const readNotices = {
  method: 'POST',
  path: '/api/v1/user/notices/read',
  access: 'user',
  whileFrozen: true,
  ownAccount: true,
  summary:
    'Mark the notices up to a moment as read. An earlier moment than before changes nothing, and a later one than now is now',
  payload: z.object({ until: z.iso.datetime(validation.momentInvalid) }),
  body: z.object({ unread: unreadSchema }),
} as const satisfies Endpoint

const preferencesSchema = z.object({
  mails: z.object(
    Object.fromEntries(mailedKinds.map((kind) => [kind, z.boolean()])) as Record<
      MailedKind,
      z.ZodBoolean
    >,
  ),
})
export type NoticePreferences = z.infer<typeof preferencesSchema>

export const noticePreferences = {
  method: 'GET',
  path: '/api/v1/user/notices/preferences',
  access: 'user',
  summary: 'The notices of money that the caller gets by mail too',
  body: preferencesSchema,
} as const satisfies Endpoint

export const saveNoticePreferences = {
  method: 'PUT',
  path: '/api/v1/user/notices/preferences',
  access: 'user',
  summary:
    'Choose the notices of money that the caller gets by mail too. Mails about the security of the account are always sent',
  payload: preferencesSchema,
  body: preferencesSchema,
} as const satisfies Endpoint
