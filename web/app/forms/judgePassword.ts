import { MINIMUM_PASSWORD_LENGTH } from '@pool/contract/fields'
import { type PasswordOwner, weaknessOf } from '@pool/contract/passwords'
import { configuration } from '../configuration.ts'

/**
 * The sentence for a password that is too easy to guess, by the rule that the server decides by.
 * Another one is for what is too short.
 */
export const judgePassword = (
  password: string,
  owner: Omit<PasswordOwner, 'productName'>,
): string | null => {
  if (password.length < MINIMUM_PASSWORD_LENGTH) return null
  return weaknessOf(password, { ...owner, productName: configuration().productName }) ?? null
}
