import { type PasswordOwner, weaknessOf } from '@pool/contract/accounts/passwords'
import { refusal } from '@pool/contract/base/refusals'

/** The owner, and the name of the payload's password field. */
type Chosen = PasswordOwner & { readonly field: string }

/** Throws `validation` for an easily guessed password (docs/threats.md T19). */
export const requireGoodPassword = (password: string, { field, ...owner }: Chosen): void => {
  const message = weaknessOf(password, owner)
  if (message !== undefined) throw refusal('validation', { message, field })
}
