import { unified } from '@pool/contract/base/fields'
import { carryOut } from './passwordWork.ts'

/**
 * Returns an argon2id hash, with its salt and parameters, of the password in one form of Unicode.
 */
export const hashPassword = async (password: string): Promise<string> =>
  String(await carryOut({ password: unified(password) }))

let hashOfNobody: Promise<string> | undefined

/**
 * Makes the dummy hash once. A failure is not cached, so unknown emails keep costing the same.
 */
const nobodysHash = (): Promise<string> => {
  hashOfNobody ??= hashPassword('no account has this hash').catch((error: unknown) => {
    hashOfNobody = undefined
    throw error
  })
  return hashOfNobody
}

/**
 * True when a password matches a hash, in one form of Unicode or as typed, since old hashes are of
 * that. Without a hash it does equal work, so the response time does not reveal users.
 */
export const passwordMatches = async (
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> => {
  const nobodys = await nobodysHash()
  for (const form of new Set([unified(password), password]))
    if ((await carryOut({ password: form, passwordHash: passwordHash ?? nobodys })) === true)
      return passwordHash !== undefined
  return false
}
