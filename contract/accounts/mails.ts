/** Mails of the product, and the mailbox in which a sandbox shows them. */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { languages } from '../base/languages.ts'
import { succeeded } from '../base/messages.ts'
import { timestampSchema } from '../base/timestamp.ts'

/** Every kind of mail. */
export const mailTemplates = [
  'passwordReset',
  'invite',
  'passwordChanged',
  'factorsChanged',
  'factorReset',
  'factorRefused',
  'newDevice',
  'accountFrozen',
  'accountClosed',
  'emailConfirm',
  'emailChange',
  'emailTaken',
  'emailChangeAsked',
  'emailChanged',
  'depositAddressChanged',
  'proposalRests',
  'moneyNotice',
  'morning',
  'lossAnnounced',
  'windDownBegun',
  'readingKeyMade',
  'readingKeysEnded',
] as const
export type MailTemplate = (typeof mailTemplates)[number]

/** A mail waits, is sent, is kept by a sandbox without SMTP, or is a dead letter. */
export const mailStatuses = ['WAITING', 'SENT', 'KEPT', 'DEAD'] as const
export type MailStatus = (typeof mailStatuses)[number]

/** The pages that mailed links open, by template. The token follows `#`. */
export const LINK_PATHS = {
  passwordReset: '/reset',
  invite: '/reset?invite',
  passwordChanged: '/freeze',
  factorsChanged: '/freeze',
  factorReset: '/freeze',
  factorRefused: '/freeze',
  newDevice: '/freeze',
  emailConfirm: '/confirm',
  emailChange: '/confirm',
  emailChangeAsked: '/freeze',
  emailChanged: '/freeze',
  depositAddressChanged: '/freeze',
  readingKeyMade: '/freeze',
} as const satisfies Partial<Record<MailTemplate, string>>

/** The page of a sandbox's mailbox. */
export const MAILBOX_PATH = '/mailbox'

/** The mails in the mailbox. */
export const MAILBOX_SIZE = 200

/** Most undelivered mails in a list. */
export const UNDELIVERED_SIZE = 200

export const mailSchema = z.object({
  id: idSchema,
  recipient: z.string(),
  subject: z.string(),
  language: z.enum(languages),
  template: z.enum(mailTemplates),
  status: z.enum(mailStatuses),
  createdAt: timestampSchema,
})
export type Mail = z.infer<typeof mailSchema>

export const writtenMailSchema = mailSchema.extend({ text: z.string(), html: z.string() })
export type WrittenMail = z.infer<typeof writtenMailSchema>

/** An attempt to send a mail: `deferred` may succeed later, `refused` never will. */
export const attemptOutcomes = ['accepted', 'deferred', 'refused'] as const

/** A mail that was given up (DEAD), or one that waits after a failed attempt. */
export const undeliveredMailSchema = mailSchema.extend({
  /** Null for an invite, whose reader has no account yet. */
  userId: idSchema.nullable(),
  attempts: z.number().int(),
  /** `answer` is in the words of the mail server. Null for a mail that was never tried. */
  lastAttempt: z
    .object({ at: timestampSchema, outcome: z.enum(attemptOutcomes), answer: z.string() })
    .nullable(),
  /** Null for a mail that was given up. */
  nextAttemptAt: timestampSchema.nullable(),
  /** The link in it ran out, so it cannot be sent again. */
  expired: z.boolean(),
})
export type UndeliveredMail = z.infer<typeof undeliveredMailSchema>

/** An admin reads mails to people who are not staff, a super admin reads all. */
export const listMails = {
  method: 'GET',
  path: '/api/v1/admin/mails',
  access: 'staff',
  summary: `List the newest ${MAILBOX_SIZE} mails of a sandbox. Live mode answers 404`,
  body: z.array(mailSchema),
} as const satisfies Endpoint

export const readMail = {
  method: 'GET',
  path: '/api/v1/admin/mails/{id}',
  access: 'staff',
  summary: 'Read a mail of a sandbox as it was or will be sent. Live mode answers 404',
  params: z.object({ id: idSchema }),
  body: writtenMailSchema,
} as const satisfies Endpoint

export const listUndelivered = {
  method: 'GET',
  path: '/api/v1/admin/mails/undelivered',
  access: 'staff',
  summary: `List mails that were given up or deferred, newest first, at most ${UNDELIVERED_SIZE}, without their text. An admin reads those to people who are not staff`,
  body: z.array(undeliveredMailSchema),
} as const satisfies Endpoint

export const resendMail = {
  method: 'POST',
  path: '/api/v1/admin/mails/{id}/resend',
  access: 'staff',
  withoutStepUp: 'The mail goes to its first recipient, with the link that it had.',
  summary:
    'Send a mail again to the same address. An admin sends those to people who are not staff. Refused once its link has run out',
  params: z.object({ id: idSchema }),
  narration: succeeded.mailResent,
  body: z.object({ id: idSchema }),
} as const satisfies Endpoint
