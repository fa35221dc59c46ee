import type { RoleType } from '@pool/contract/accounts/users'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import { violatedConstraint } from '../../base/db/errors.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import { openAccounts } from '../../ledger/families/accounts.ts'
import { passwordDigest } from '../../records/audit/passwordDigest.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { isEmailTaken } from '../emails/taken.ts'
import { hashPassword } from '../passwords/passwords.ts'

export type Registration = {
  /** In lower case. */
  readonly email: string
  readonly password: string
  readonly firstName: string
  readonly lastName: string
  readonly country: string
  /** IP address, or the operator, for the audit trail. */
  readonly from: string
}

/** Asks a new user to confirm the email, in the transaction of the registration. */
type AskToConfirm = (transaction: Kysely<Schema>, userId: string) => Promise<void>

/**
 * Creates a user with empty ledger accounts and the given roles, by default USER. Without
 * `askToConfirm` the email counts as confirmed. Returns the id. Throws `emailTaken`.
 */
export const register = async (
  context: OnRecord,
  { password, ...who }: Registration,
  roles: readonly RoleType[] = ['USER'],
  askToConfirm?: AskToConfirm,
): Promise<string> =>
  createUser(context, { ...who, passwordHash: await hashPassword(password) }, roles, askToConfirm)

export type HashedRegistration = Omit<Registration, 'password'> & {
  readonly passwordHash: string
  /** The only super admin, who invited this person alone. */
  readonly aloneBy?: string | null
}

/** As {@link register}, with a password that is hashed already. */
export const createUser = (
  { db, keys }: OnRecord,
  registration: HashedRegistration,
  roles: readonly RoleType[],
  askToConfirm?: AskToConfirm,
): Promise<string> =>
  db
    .transaction()
    .execute((transaction) => addUser(transaction, keys, registration, roles, askToConfirm))

/** As {@link createUser}, in a transaction. */
export const addUser = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  registration: HashedRegistration,
  roles: readonly RoleType[],
  askToConfirm?: AskToConfirm,
): Promise<string> => {
  const id = newId()
  const user = {
    id,
    username: registration.email,
    password_hash: registration.passwordHash,
    first_name: registration.firstName,
    last_name: registration.lastName,
    country: registration.country,
    email_confirmed_at: askToConfirm ? null : sql<Date>`now()`,
  }
  try {
    await transaction.insertInto('users').values(user).execute()
  } catch (error) {
    throw violatedConstraint(error) === 'users_username_key' ? refusal('emailTaken') : error
  }
  if (await isEmailTaken(transaction, { userId: id, email: registration.email }))
    throw refusal('emailTaken')
  await transaction
    .insertInto('user_roles')
    .values(roles.map((role) => ({ user_id: id, role, alone_by: registration.aloneBy ?? null })))
    .execute()
  await openAccounts(transaction, id)
  await record(transaction, keys, {
    by: { id, name: registration.email, from: registration.from },
    action: 'user.registered',
    subject: { type: 'user', id },
    ownerId: id,
    after: { roles, digest: passwordDigest(registration.passwordHash) },
  })
  await askToConfirm?.(transaction, id)
  return id
}
