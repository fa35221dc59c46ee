import { type PasswordOwner, weaknessOf } from '@pool/contract/accounts/passwords'
import { MINIMUM_PASSWORD_LENGTH } from '@pool/contract/base/fields'
import { configuration } from '../configuration.ts'

/**
 * The sentence for a weak password, by the server's rule. Short passwords have a sentence of their
 * own.
 */
export const judgePassword = (
  password: string,
  owner: Omit<PasswordOwner, 'productName'>,
): string | null => {
  if (password.length < MINIMUM_PASSWORD_LENGTH) return null
  return weaknessOf(password, { ...owner, productName: configuration().productName }) ?? null
}
