/** Invites to the staff. An account exists once its owner has set a password by the mailed link. */
import { INVITE_HOURS } from '@pool/contract/invites'
import type { Language } from '@pool/contract/languages'
import type { PayloadOf } from '@pool/contract/proposals'
import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import { record } from '../audit/record.ts'
import type { Schema } from '../db/schema.ts'
import { newLink, tokenDigest, tokenOf } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import { requireGoodPassword } from '../passwords/passwordRules.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { addUser } from './register.ts'

/** The id of an invite is that of its proposal. */
type Invite = {
  readonly id: string
  readonly email: string
  readonly firstName: string
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

/** Throws `inviteeKnown`, and `inviteOpen` while the link of another invite works. */
export const requireInvitable = async (
  transaction: Kysely<Schema>,
  email: string,
): Promise<void> => {
  await requireUnknown(transaction, email)
  // One that has run out or is void makes room.
  await transaction
    .updateTable('invites as i')
    .set({ ended_at: sql<Date>`now()` })
    .where('email', '=', email)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`NOT is_open_invite(i)`)
    .execute()
  const open = await transaction
    .selectFrom('invites')
    .select('id')
    .where('email', '=', email)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (open) throw refusal('inviteOpen')
}

/** Mails the link of an approved invite. Throws `inviteeKnown`. */
export const mailInvite = async (
  transaction: Kysely<Schema>,
  { config, keys }: MailContext,
  { id, email, firstName, language }: Invite,
): Promise<void> => {
  await requireUnknown(transaction, email)
  const link = newLink(keys)
  const { expires_at: until } = await transaction
    .insertInto('invites')
    .values({
      id,
      email,
      token_digest: tokenDigest(tokenOf(keys, link)),
      expires_at: sql<Date>`now() + make_interval(hours => ${INVITE_HOURS})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  await queueMails(transaction, config, {
    template: 'invite',
    parameters: { firstName, link, until: until.toISOString() },
    userId: null,
    recipient: email,
    language,
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
    .where('expires_at', '>', sql<Date>`now()`)
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
  const invite = await openInvites(db, digest).executeTakeFirst()
  if (!invite) throw refusal('inviteInvalid')
  const { id } = invite
  const { email, firstName, lastName, country, role } = invite.payload as PayloadOf<'INVITE'>
  const { productName } = config
  const field = 'newPassword'
  requireGoodPassword(newPassword, { email, firstName, lastName, productName, field })
  const passwordHash = await hashPassword(newPassword)
  await db.transaction().execute(async (transaction) => {
    // A role that is revoked waits for this, so an invite ends with its super admins.
    await sql`SELECT pg_advisory_xact_lock_shared(7031987)`.execute(transaction)
    const open = await openInvites(transaction, digest).forUpdate('i').executeTakeFirst()
    if (!open) throw refusal('inviteInvalid')
    const owner = { email, firstName, lastName, country, from, passwordHash }
    const userId = await addUser(transaction, keys, owner, [role])
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
      after: { role },
    })
  })
}

const openInvites = (db: Kysely<Schema>, digest: Buffer) =>
  db
    .selectFrom('invites as i')
    .innerJoin('proposals as p', 'p.id', 'i.id')
    .select(['i.id', 'p.payload'])
    .where('i.token_digest', '=', digest)
    .where(sql<boolean>`is_open_invite(i)`)
