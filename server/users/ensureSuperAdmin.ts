import { randomBytes } from 'node:crypto'
import { weaknessOf } from '@pool/contract/passwords'
import { Refusal } from '@pool/contract/refusals'
import { REGISTRATION_COUNTRY } from '@pool/contract/users'
import { FROM_OPERATOR, type OnRecord } from '../audit/record.ts'
import { register } from './register.ts'

/**
 * Creates the super admin when there is none yet: the first start on an empty database. Returns the
 * email and, when the operator gave no password, the one that was made up; undefined when a super
 * admin exists already. Throws in live mode when the password is too easy to guess.
 */
export const ensureSuperAdmin = async (
  { db, keys }: OnRecord,
  given: {
    readonly email: string
    readonly password: string | undefined
    readonly productName: string
    readonly live: boolean
  },
): Promise<{ email: string; generatedPassword?: string } | undefined> => {
  const existing = await db
    .selectFrom('user_roles')
    .select('user_id')
    .where('role', '=', 'SUPER_ADMIN')
    .limit(1)
    .executeTakeFirst()
  if (existing) return undefined

  const email = given.email.toLowerCase()
  const password = given.password ?? randomBytes(15).toString('base64url')
  // In a sandbox there is nothing to steal, and people start one with whatever password is at hand.
  const weakness = given.live
    ? weaknessOf(password, { email, productName: given.productName })
    : undefined
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
    await register({ db, keys }, person, ['SUPER_ADMIN'])
  } catch (error) {
    // Another process that started at the same moment was first.
    if (error instanceof Refusal && error.code === 'emailTaken') return undefined
    throw error
  }
  return given.password === undefined ? { email, generatedPassword: password } : { email }
}
