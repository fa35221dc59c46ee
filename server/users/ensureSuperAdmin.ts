import { randomBytes } from 'node:crypto'
import { weaknessOf } from '@pool/contract/passwords'
import { Refusal } from '@pool/contract/refusals'
import { REGISTRATION_COUNTRY } from '@pool/contract/users'
import { FROM_OPERATOR, type OnRecord } from '../audit/record.ts'
import { register } from './register.ts'

/** The super admin of a first start, with the password if it was generated. */
export type NewSuperAdmin = { readonly email: string; readonly generatedPassword?: string }

/**
 * Creates the super admin at the first start. Undefined when one exists. Throws in live mode for
 * an easy password.
 */
export const ensureSuperAdmin = async (
  { db, keys }: OnRecord,
  given: {
    readonly email: string
    readonly password: string | undefined
    readonly productName: string
    readonly live: boolean
  },
): Promise<NewSuperAdmin | undefined> => {
  const existing = await db
    .selectFrom('user_roles')
    .select('user_id')
    .where('role', '=', 'SUPER_ADMIN')
    .limit(1)
    .executeTakeFirst()
  if (existing) return undefined

  const email = given.email.toLowerCase()
  const password = given.password ?? randomBytes(15).toString('base64url')
  // A sandbox holds no money, so any password will do.
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
    // Another process started at the same moment and was first.
    if (error instanceof Refusal && error.code === 'emailTaken') return undefined
    throw error
  }
  return given.password === undefined ? { email, generatedPassword: password } : { email }
}
