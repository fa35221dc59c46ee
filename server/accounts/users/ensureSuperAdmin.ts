import { randomBytes } from 'node:crypto'
import { weaknessOf } from '@pool/contract/accounts/passwords'
import { REGISTRATION_COUNTRY } from '@pool/contract/accounts/users'
import { languages } from '@pool/contract/base/languages'
import { Refusal } from '@pool/contract/base/refusals'
import { DEFAULT_SUPER_ADMIN } from '../../base/configuration/environment.ts'
import { FROM_OPERATOR } from '../../records/audit/record.ts'
import type { MailContext } from '../mail/send.ts'
import { askPasswordReset } from '../passwords/askPasswordReset.ts'
import { register } from './register.ts'

/** The super admin of a first start, and where their password is. */
export type NewSuperAdmin =
  | { readonly email: string; readonly password: 'given' | 'mailed' }
  | { readonly email: string; readonly password: 'generated'; readonly generated: string }

/**
 * Creates the super admin at the first start. Undefined when one exists. A live pool mails a link
 * that sets a missing password. It throws for an easy one, and without a mailbox.
 */
export const ensureSuperAdmin = async (
  context: MailContext,
): Promise<NewSuperAdmin | undefined> => {
  const { config, db } = context
  const existing = await db
    .selectFrom('user_roles')
    .select('user_id')
    .where('role', '=', 'SUPER_ADMIN')
    .limit(1)
    .executeTakeFirst()
  if (existing) return undefined

  const email = config.superAdminEmail.toLowerCase()
  const { superAdminPassword: given, productName } = config
  const isLive = config.poolMode === 'live'
  if (isLive && given === undefined && email === DEFAULT_SUPER_ADMIN)
    throw new Error(
      'The configuration has errors:\n  - SUPER_ADMIN_EMAIL must be set at the first start of a live pool: its mailbox gets the link that sets the password.',
    )
  const password = given ?? randomBytes(15).toString('base64url')
  // A sandbox holds no money, so any password will do.
  const weakness = isLive ? weaknessOf(password, { email, productName }) : undefined
  if (weakness !== undefined)
    throw new Error(`The configuration has errors:\n  - SUPER_ADMIN_PASSWORD: ${weakness}`)
  const person = {
    email,
    password,
    firstName: 'Super',
    lastName: 'Admin',
    country: REGISTRATION_COUNTRY,
    from: FROM_OPERATOR,
  }
  try {
    await register(context, person, ['SUPER_ADMIN'])
  } catch (error) {
    // Another process started at the same moment and was first.
    if (error instanceof Refusal && error.code === 'emailTaken') return undefined
    throw error
  }
  if (given !== undefined) return { email, password: 'given' }
  if (!isLive) return { email, password: 'generated', generated: password }
  await askPasswordReset(context, { username: email, language: languages[0], from: FROM_OPERATOR })
  return { email, password: 'mailed' }
}
