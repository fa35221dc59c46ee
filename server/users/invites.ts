/** Invites to the staff. An account exists once its owner has set a password by the mailed link. */
import { INVITE_HOURS } from '@pool/contract/invites'
import type { Language } from '@pool/contract/languages'
import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import { record } from '../audit/record.ts'
import { violatedConstraint } from '../db/errors.ts'
import type { Schema } from '../db/schema.ts'
import { newLink, tokenDigest, tokenOf } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import { requireGoodPassword } from '../passwords/passwordRules.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { addUser } from './register.ts'

/** The id of an invite is that of its change of access. */
type Invite = {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly country: string
  /** That of the mail. */
  readonly language: Language
}

/** Throws `inviteeKnown` for an address that has an account. */
const requireUnknown = async (transaction: Kysely<Schema>, email: string): Promise<void> => {
  const user = await transaction
    .selectFrom('users')
    .select('id')
    .where('username', '=', email)
    .executeTakeFirst()
  if (user) throw refusal('inviteeKnown')
}

/** Adds an invite that waits for its approval. Throws `inviteeKnown` and `inviteOpen`. */
export const addInvite = async (
  transaction: Kysely<Schema>,
  { id, email, firstName, lastName, country, language }: Invite,
): Promise<void> => {
  await requireUnknown(transaction, email)
  // One that has run out or is void makes room.
  await sql`
    UPDATE invites AS i SET ended_at = now() WHERE email = ${email} AND ended_at IS NULL
      AND NOT is_open_invite(i) AND NOT EXISTS (SELECT FROM access_changes AS c WHERE c.id = i.id AND is_open_change(c))`.execute(
    transaction,
  )
  const names = { first_name: firstName, last_name: lastName }
  try {
    await transaction
      .insertInto('invites')
      .values({ id, email, ...names, country, language })
      .execute()
  } catch (error) {
    throw violatedConstraint(error) === 'invites_stand_once' ? refusal('inviteOpen') : error
  }
}

/** Mails the link of an approved invite. Throws `inviteeKnown`. */
export const mailInvite = async (
  transaction: Kysely<Schema>,
  { config, keys }: MailContext,
  id: string,
): Promise<void> => {
  const link = newLink(keys)
  const invite = await transaction
    .updateTable('invites')
    .set({
      token_digest: tokenDigest(tokenOf(keys, link)),
      expires_at: sql<Date>`now() + make_interval(hours => ${INVITE_HOURS})`,
    })
    .where('id', '=', id)
    .returning(['email', 'first_name', 'language', 'expires_at'])
    .executeTakeFirstOrThrow()
  await requireUnknown(transaction, invite.email)
  const until = invite.expires_at ?? new Date()
  await queueMails(transaction, config, {
    template: 'invite',
    parameters: { firstName: invite.first_name, link, until: until.toISOString() },
    userId: null,
    recipient: invite.email,
    language: invite.language,
    expiresAt: until,
  })
}

/** Ends an invite, whose link is dead from then on. False when it had ended or run out. */
export const endInvite = async (transaction: Kysely<Schema>, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await transaction
    .updateTable('invites')
    .set({ ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`(expires_at > now()) IS NOT FALSE`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export type Acceptance = {
  readonly token: string
  readonly newPassword: string
  readonly from: string
}

/**
 * Opens the account of an invite, with the email confirmed by its link. A weak password leaves it
 * open. Throws `inviteInvalid`, and `emailTaken` where the address was registered meanwhile.
 */
export const acceptInvite = async (
  { config, db, keys }: MailContext,
  { token, newPassword, from }: Acceptance,
): Promise<void> => {
  const digest = tokenDigest(token)
  const invite = await openInvites(db, digest)
    .select(['i.id', 'i.email', 'i.first_name', 'i.last_name', 'i.country'])
    .executeTakeFirst()
  if (!invite) throw refusal('inviteInvalid')
  const { id, email, first_name: firstName, last_name: lastName, country } = invite
  const { productName } = config
  const field = 'newPassword'
  requireGoodPassword(newPassword, { email, firstName, lastName, productName, field })
  const passwordHash = await hashPassword(newPassword)
  await db.transaction().execute(async (transaction) => {
    // A role that is revoked waits for this, so an invite ends with its super admins.
    await sql`SELECT pg_advisory_xact_lock_shared(7031987)`.execute(transaction)
    const open = await openInvites(transaction, digest)
      .innerJoin('access_changes as c', 'c.id', 'i.id')
      .select(['c.role', 'c.asked_by'])
      .forUpdate('i')
      .executeTakeFirst()
    if (!open?.role) throw refusal('inviteInvalid')
    const owner = { email, firstName, lastName, country, from, passwordHash }
    const userId = await addUser(transaction, keys, owner, [open.role])
    await transaction
      .updateTable('invites')
      .set({ ended_at: sql<Date>`now()`, user_id: userId })
      .where('id', '=', id)
      .execute()
    await record(transaction, keys, {
      by: { id: userId, name: email, from },
      action: 'invite.accepted',
      subject: { type: 'user', id: userId },
      ownerId: userId,
      after: { role: open.role },
    })
  })
}

const openInvites = (db: Kysely<Schema>, digest: Buffer) =>
  db
    .selectFrom('invites as i')
    .where('i.token_digest', '=', digest)
    .where(sql<boolean>`is_open_invite(i)`)
