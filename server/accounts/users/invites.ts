/** Invites to the staff. An account exists once its owner has set a password by the mailed link. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { shareLock } from '../../base/locks.ts'
import { cooldownEnd } from '../../base/sessions/cooldown.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { passwordDigest } from '../../records/audit/passwordDigest.ts'
import { record } from '../../records/audit/record.ts'
import { addLink, findLink, useLink } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import { requireGoodPassword } from '../passwords/passwordRules.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { removeUnproven } from '../recovery/removeUnproven.ts'
import { takeBack } from '../recovery/takeBack.ts'
import { addUser, type HashedRegistration } from './register.ts'
import { giveRole } from './roles.ts'

/** The id of an invite is that of its proposal. */
type Invite = {
  readonly id: string
  readonly email: string
  readonly firstName: string
  /** That of the mail. */
  readonly language: Language
}

/**
 * True before the first press of a mailed link. A stranger may have registered such an address, so
 * it bars no invite, unless it is suspended, frozen or of the staff.
 */
const IS_UNPROVEN = sql<boolean>`email_confirmed_at IS NULL AND suspended_at IS NULL AND frozen_at IS NULL
  AND NOT EXISTS (SELECT FROM user_roles AS held WHERE held.user_id = users.id AND held.role <> 'USER')`

/** Throws `inviteeKnown` for an address that has an account, unless that is unproven. */
const requireUnknown = async (transaction: Kysely<Schema>, email: string): Promise<void> => {
  const user = await transaction
    .selectFrom('users')
    .select('id')
    .where('username', '=', email)
    .where(sql<boolean>`NOT (${IS_UNPROVEN})`)
    .executeTakeFirst()
  if (user) throw refusal('inviteeKnown')
}

/** The link of an invite: its proposal's id, and no user yet. */
const inviteLink = (id: string, address: string) =>
  ({ id, kind: 'INVITE', userId: null, address }) as const

/** The invite to an address that was neither used nor ended. Its link may have run out. */
const selectOpenInvite = (transaction: Kysely<Schema>, email: string) =>
  transaction
    .selectFrom('links as i')
    .select(['id', sql<boolean>`is_open_invite(i)`.as('is_open')])
    .where('kind', '=', 'INVITE')
    .where('address', '=', email)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

/** Throws `inviteeKnown`, and `inviteOpen` while the link of another invite works. */
export const requireInvitable = async (
  transaction: Kysely<Schema>,
  email: string,
): Promise<void> => {
  await requireUnknown(transaction, email)
  // One that has run out or is void makes room.
  const open = await selectOpenInvite(transaction, email)
  if (!open) return
  if (open.is_open) throw refusal('inviteOpen')
  await useLink(transaction, inviteLink(open.id, email))
}

/** Mails the link of an approved invite. Throws `inviteeKnown`. */
export const mailInvite = async (
  transaction: Kysely<Schema>,
  { config, keys }: MailContext,
  { id, email, firstName, language }: Invite,
): Promise<void> => {
  await requireUnknown(transaction, email)
  const { link, until } = await addLink(transaction, keys, inviteLink(id, email))
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
export const endInvite = (
  transaction: Kysely<Schema>,
  { id, email }: Pick<Invite, 'id' | 'email'>,
): Promise<boolean> => useLink(transaction, inviteLink(id, email))

export type Acceptance = {
  readonly token: string
  readonly newPassword: string
  readonly from: string
}

/**
 * Opens the account of an invite, with the email confirmed, or takes over an unproven one. A weak
 * password leaves the invite open. Throws `inviteInvalid`, and `emailTaken` for a known address.
 */
export const acceptInvite = async (
  context: MailContext,
  { token, newPassword, from }: Acceptance,
): Promise<void> => {
  const { config, db, keys } = context
  const link = await findLink(context, token, 'INVITE')
  const invite = await openInvites(db, link?.id).executeTakeFirst()
  if (!link || !invite) throw refusal('inviteInvalid')
  const { aloneBy } = invite
  const { email, firstName, lastName, country, role } = invite.payload as PayloadOf<'INVITE'>
  const { productName } = config
  const field = 'newPassword'
  requireGoodPassword(newPassword, { email, firstName, lastName, productName, field })
  const passwordHash = await hashPassword(newPassword)
  const invitee = { email, firstName, lastName, country, from, passwordHash, aloneBy }
  await endingSessions(db, async (transaction) => {
    const takenOver = await takeOver(transaction, context, invitee)
    // A role that is revoked waits for this, so an invite ends with its super admins.
    await shareLock(transaction, 'groups')
    const open = await openInvites(transaction, link.id).executeTakeFirst()
    if (!open || !(await useLink(transaction, link))) throw refusal('inviteInvalid')
    const userId = takenOver ?? (await addUser(transaction, keys, invitee, [role]))
    const by = { id: userId, name: email, from }
    if (takenOver !== undefined) await giveRole(transaction, keys, { userId, role, by, aloneBy })
    await record(transaction, keys, {
      by,
      action: 'invite.accepted',
      subject: { type: 'user', id: userId },
      ownerId: userId,
      after: { role },
    })
  })
}

/**
 * Makes an unproven account at the invitee's address the invitee's own, as a mailed reset does.
 * Returns its id, or undefined without one.
 */
const takeOver = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { email, firstName, lastName, country, from, passwordHash }: HashedRegistration,
): Promise<string | undefined> => {
  const user = await transaction
    .selectFrom('users')
    .select('id')
    .where('username', '=', email)
    .where(IS_UNPROVEN)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!user) return undefined
  const userId = user.id
  const by = { id: userId, name: email, from }
  await takeBack(transaction, context, { userId, by, act: 'passwordReset' })
  const removed = await removeUnproven(transaction, userId)
  await transaction
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      first_name: firstName,
      last_name: lastName,
      country,
      email_confirmed_at: sql<Date>`now()`,
      updated_at: sql<Date>`now()`,
      withdrawals_rest_until: cooldownEnd,
    })
    .where('id', '=', userId)
    .execute()
  await record(transaction, context.keys, {
    by,
    action: 'password.reset',
    subject: { type: 'user', id: userId },
    ownerId: userId,
    ...(removed.length > 0 && { before: { factors: removed } }),
    after: { digest: passwordDigest(passwordHash) },
  })
  return userId
}

const openInvites = (db: Kysely<Schema>, id: string | undefined) =>
  db
    .selectFrom('links as i')
    .innerJoin('proposals as p', 'p.id', 'i.id')
    .select(['p.payload', sql<string | null>`CASE WHEN p.alone THEN p.asked_by END`.as('aloneBy')])
    .where(sql<boolean>`i.id = ${id ?? null}::uuid`)
    .where(sql<boolean>`is_open_invite(i)`)
