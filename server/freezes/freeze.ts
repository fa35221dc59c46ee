import type { Language } from '@pool/contract/languages'
import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import { record } from '../audit/record.ts'
import type { Schema } from '../db/schema.ts'
import type { Keys } from '../keys/keys.ts'
import { useFreezeLink } from '../links/freezeLinks.ts'
import { endLinks } from '../links/openLinks.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import type { Actor } from '../sessions/actor.ts'
import { endingSessions } from '../sessions/ending.ts'
import { endSessionsOf } from '../sessions/sessions.ts'

export type Freeze = { readonly token: string; readonly language: Language; readonly from: string }

/**
 * Freezes the account of a mailed link: ends its sessions, holds its withdrawals, payout address
 * and email. A mail about a changed email gives the old one back. Throws `freezeLinkInvalid`.
 */
export const freezeByLink = (
  { config, db, keys }: MailContext,
  { token, language, from }: Freeze,
): Promise<void> =>
  endingSessions(db, async (transaction) => {
    const link = await useFreezeLink(transaction, token)
    if (!link) throw refusal('freezeLinkInvalid')
    const { userId, email, at } = link
    // The owner of the new address may have asked for a link that would lift the freeze.
    if (email !== null) await endLinks(transaction, 'password_resets', { userId })
    const user = await transaction
      .updateTable('users')
      .set({
        frozen_at: sql<Date>`coalesce(frozen_at, now())`,
        frozen_since: sql<Date>`least(frozen_since, ${at})`,
        updated_at: sql<Date>`now()`,
      })
      .where('id', '=', userId)
      .returning(['username', 'first_name', 'frozen_at'])
      .executeTakeFirstOrThrow()
    await endSessionsOf(transaction, userId)
    await endLinks(transaction, 'email_links', { userId, kind: 'CHANGE' })
    const by = { id: userId, name: user.username, from }
    const recipients = [user.username]
    if (email !== null && (await giveBack(transaction, userId, email))) {
      recipients.push(email)
      await record(transaction, keys, {
        by,
        action: 'email.changed',
        subject: { type: 'user', id: userId },
        ownerId: userId,
        before: { email: user.username },
        after: { email },
      })
    }
    await queueMails(
      transaction,
      config,
      ...recipients.map((recipient) => ({
        template: 'accountFrozen' as const,
        parameters: { firstName: user.first_name, at: user.frozen_at?.toISOString() ?? '' },
        userId,
        recipient,
        language,
      })),
    )
    await record(transaction, keys, {
      by,
      action: 'account.frozen',
      subject: { type: 'user', id: userId },
      ownerId: userId,
    })
  })

/** Gives a changed address back. False where the account has it still. */
const giveBack = async (
  transaction: Kysely<Schema>,
  userId: string,
  email: string,
): Promise<boolean> => {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ username: email, email_confirmed_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .where('username', '<>', email)
    .where(sql<boolean>`NOT EXISTS (SELECT FROM users AS u WHERE u.username = ${email})`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** A second factor, or a mailed link where there was none before the sign-in that was told. */
type Proof = 'factor' | 'mailbox'

/** True for a user who had a second factor before the sign-in that was told. */
const HAD_FACTOR = sql<boolean>`EXISTS (
  SELECT FROM factors AS f WHERE f.user_id = users.id AND f.created_at < users.frozen_since)`

/** True after a factor was added since that sign-in. It may be the thief's. */
const GAINED_FACTOR = sql<boolean>`EXISTS (
  SELECT FROM factors AS f WHERE f.user_id = users.id AND f.created_at >= users.frozen_since)`

/**
 * Lifts a freeze in the transaction of what proves the owner, and records it. Does nothing without
 * a freeze, and for the wrong proof: a thief may have added a factor.
 */
export const unfreeze = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  { userId, by, proof }: { readonly userId: string; readonly by: Actor; readonly proof: Proof },
): Promise<void> => {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ frozen_at: null, frozen_since: null })
    .where('id', '=', userId)
    .where('frozen_at', 'is not', null)
    .where(
      proof === 'factor'
        ? sql<boolean>`${HAD_FACTOR} AND NOT ${GAINED_FACTOR}`
        : sql<boolean>`NOT ${HAD_FACTOR}`,
    )
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  await record(transaction, keys, {
    by,
    action: 'account.unfrozen',
    subject: { type: 'user', id: userId },
    ownerId: userId,
  })
}
