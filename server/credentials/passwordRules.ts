import { type PasswordOwner, weaknessOf } from '@pool/contract/passwords'
import { refusal } from '@pool/contract/refusals'

/** The owner, and the field of the payload that has the password. */
type Chosen = PasswordOwner & { readonly field: string }

/** Throws `validation` for a password that is too easy to guess (docs/threats.md T19). */
export const requireGoodPassword = (password: string, { field, ...owner }: Chosen): void => {
  const message = weaknessOf(password, owner)
  if (message !== undefined) throw refusal('validation', { message, field })
}
