import { unified } from '@pool/contract/base/fields'
import * as validation from '@pool/contract/base/validation'

/** True for two entries of one password, in any form of Unicode. */
export const isSamePassword = (one: unknown, other: unknown): boolean =>
  unified(String(one)) === unified(String(other))

/** The sentence for a password that was not typed twice, or null. */
export const confirms = (confirmed: unknown, password: unknown): string | null => {
  if (!confirmed) return validation.confirmPasswordRequired
  return isSamePassword(confirmed, password) ? null : validation.passwordsMustMatch
}
