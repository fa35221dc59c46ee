import type { RoleType } from '@pool/contract/accounts/users'
import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import { ACCOUNTS_ARE_OPEN, violatedConstraint } from '../../base/db/errors.ts'
import type { Schema } from '../../base/db/schema.ts'
import { type Origin, readDevice } from '../../base/sessions/device.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { startSession } from '../../base/sessions/sessions.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import type { MailContext } from '../mail/send.ts'
import { passwordMatches } from '../passwords/passwords.ts'
import { isLiftable, unfreeze } from '../recovery/unfreeze.ts'
import { noteDevice } from './newDevice.ts'

export type SignedIn = {
  readonly token: string
  readonly userId: string
  readonly username: string
  readonly roles: readonly RoleType[]
}

/** A sign-in attempt. `from` is the IP address for the audit trail. */
export type SignIn = { readonly username: string; readonly password: string; readonly from: string }

/** A user who is about to sign in. */
export type KnownUser = { readonly id: string; readonly username: string }

/**
 * Returns the user with this password. Throws `invalidCredentials` for an unknown email or a wrong
 * password, `suspended` only with the right one.
 */
export const provePassword = async (
  { db, keys }: OnRecord,
  { username, password, from }: SignIn,
): Promise<KnownUser> => {
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'password_hash', 'suspended_at'])
    .where('username', '=', username)
    .executeTakeFirst()
  const matches = await passwordMatches(user?.password_hash, password)
  if (user && matches && user.suspended_at === null) return user
  const reason = user && matches ? 'suspended' : 'invalidCredentials'
  // The caller is not proven to be the owner, so the entry has the tried name. It is cut at 254.
  const by = { name: username.slice(0, 254), from }
  await record(db, keys, {
    by,
    action: 'session.refused',
    subject: { type: 'user', id: user?.id ?? '' },
    ownerId: user?.id,
    reason,
  })
  throw refusal(reason)
}

export type Start = {
  readonly device: Origin
  readonly language: Language
  /** The moment at which the shown factor or code was made. Undefined where none was proven. */
  readonly shownFrom: Date | undefined
}

/**
 * Starts a session of a user who proved a password, and a second factor where there is one. One
 * from before a freeze lifts it. A new device is told by mail.
 */
export const logIn = async (
  context: MailContext,
  { id: userId, username }: KnownUser,
  { device, language, shownFrom }: Start,
): Promise<SignedIn> => {
  const shown = shownFrom && { userId, proof: { madeAt: shownFrom } }
  const lifted = shown && (await isLiftable(context.db, shown)) ? shown : undefined
  const start = async (transaction: Kysely<Schema>): Promise<SignedIn> => {
    const by = { id: userId, name: username, from: device.ip }
    if (lifted) await unfreeze(transaction, context, { ...lifted, by })
    const { first_name, frozen_at } = await transaction
      .selectFrom('users')
      .select(['first_name', 'frozen_at'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const roles = await transaction
      .selectFrom('user_roles')
      .select('role')
      .where('user_id', '=', userId)
      .$if(frozen_at !== null, (query) => query.where('role', '=', 'USER'))
      .execute()
    const factorAt = shownFrom ? sql<Date>`now()` : null
    const signing = { db: transaction, keys: context.keys }
    const token = await startSession(signing, userId, { ...device, factorAt })
    const user = { id: userId, username, firstName: first_name }
    const isNew = await noteDevice(context, transaction, { user, device, language })
    const entry = { by, subject: { type: 'user', id: userId }, ownerId: userId } as const
    const after = readDevice(device.userAgent)
    await record(
      transaction,
      context.keys,
      { ...entry, action: 'session.started' },
      ...(isNew ? [{ ...entry, action: 'session.newDevice', after } as const] : []),
    )
    return { token, userId, username, roles: roles.map(({ role }) => role) }
  }
  const started = lifted
    ? endingSessions(context.db, start)
    : context.db.transaction().execute(start)
  // The account was closed since the password was proven.
  return started.catch((error: unknown) => {
    throw violatedConstraint(error) === ACCOUNTS_ARE_OPEN ? refusal('invalidCredentials') : error
  })
}
