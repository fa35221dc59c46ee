import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import { violatedConstraint } from '../../base/db/errors.ts'
import type { Schema } from '../../base/db/schema.ts'
import { cooldownEnd } from '../../base/sessions/cooldown.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { record } from '../../records/audit/record.ts'
import { findLink, type OpenLink, useLink } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import { takeBack } from '../recovery/takeBack.ts'
import { addGiveBack } from './giveBack.ts'
import { isEmailTaken } from './taken.ts'

export type Confirmation = {
  readonly token: string
  readonly language: Language
  /** IP address, for the audit trail. */
  readonly from: string
}

type EmailLink = OpenLink<'CONFIRM' | 'CHANGE'>

/**
 * Uses a mailed link: confirms an address, or changes it. Throws `emailLinkInvalid`, and
 * `emailTakenMeanwhile` for a new address that another account has by now.
 */
export const confirmEmail = async (
  context: MailContext,
  { token, language, from }: Confirmation,
): Promise<{ readonly email: string; readonly changed: boolean }> => {
  const link = await findLink(context, token, 'CONFIRM', 'CHANGE')
  if (!link) throw refusal('emailLinkInvalid')
  if (link.kind === 'CONFIRM') {
    await context.db
      .transaction()
      .execute((transaction) => confirm(context, transaction, link, from))
    return { email: link.address, changed: false }
  }
  try {
    await endingSessions(context.db, (transaction) =>
      change(context, transaction, { link, language, from }),
    )
  } catch (error) {
    throw violatedConstraint(error) === 'users_username_key'
      ? refusal('emailTakenMeanwhile')
      : error
  }
  return { email: link.address, changed: true }
}

/** Marks the address of a user as confirmed. */
const markConfirmed = async (
  transaction: Kysely<Schema>,
  user: { readonly userId: string; readonly email: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ email_confirmed_at: sql<Date>`coalesce(email_confirmed_at, now())` })
    .where('id', '=', user.userId)
    .where('username', '=', user.email)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

const confirm = async (
  { keys }: MailContext,
  transaction: Kysely<Schema>,
  link: EmailLink,
  from: string,
): Promise<void> => {
  const { userId, address: email } = link
  if (!(await markConfirmed(transaction, { userId, email }))) throw refusal('emailLinkInvalid')
  if (!(await useLink(transaction, link))) throw refusal('emailLinkInvalid')
  await record(transaction, keys, {
    by: { id: userId, name: email, from },
    action: 'email.confirmed',
    subject: { type: 'user', id: userId },
    ownerId: userId,
  })
}

type Change = { readonly link: EmailLink; readonly language: Language; readonly from: string }

const change = async (
  context: MailContext,
  transaction: Kysely<Schema>,
  { link, language, from }: Change,
): Promise<void> => {
  const { config, keys } = context
  const { userId, address: email } = link
  const before = await transaction
    .selectFrom('users')
    .select(['username', 'first_name', 'email_confirmed_at'])
    .where('id', '=', userId)
    .where('suspended_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!before) throw refusal('emailLinkInvalid')
  if (!(await useLink(transaction, link))) throw refusal('emailLinkInvalid')
  const by = { id: userId, name: before.username, from }
  // Before the new name is written, since groups under way share the row's key. A link in the old
  // mailbox sets no password from here on.
  await takeBack(transaction, context, { userId, by, act: 'emailChanged' })
  const { updated_at: at, withdrawals_rest_until } = await transaction
    .updateTable('users')
    .set({
      username: email,
      email_confirmed_at: sql<Date>`now()`,
      updated_at: sql<Date>`now()`,
      withdrawals_rest_until: cooldownEnd,
    })
    .where('id', '=', userId)
    .returning(['updated_at', 'withdrawals_rest_until'])
    .executeTakeFirstOrThrow()
  if (await isEmailTaken(transaction, { userId, email })) throw refusal('emailTakenMeanwhile')
  const freezing = await addGiveBack(transaction, keys, { userId, ...before })
  await queueMails(transaction, config, {
    template: 'emailChanged',
    parameters: {
      firstName: before.first_name,
      at: at.toISOString(),
      email,
      restsUntil: withdrawals_rest_until?.toISOString() ?? null,
      link: freezing.link,
      until: freezing.until.toISOString(),
    },
    userId,
    recipient: before.username,
    language,
    expiresAt: freezing.until,
  })
  await record(transaction, keys, {
    by,
    action: 'email.changed',
    subject: { type: 'user', id: userId },
    ownerId: userId,
    before: { email: before.username },
    after: { email },
  })
}
