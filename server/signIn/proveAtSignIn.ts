import type { FactorAnswer } from '@pool/contract/factors'
import type { Language } from '@pool/contract/languages'
import { refusal } from '@pool/contract/refusals'
import { passkeyOptions } from '../factors/passkeys.ts'
import { proveFactor } from '../factors/proveFactor.ts'
import { kindsOf } from '../factors/queries.ts'
import { completeReset } from '../factors/resets.ts'
import type { MailContext } from '../mail/send.ts'
import type { Known } from './logIn.ts'

export type AtSignIn = {
  readonly answer: FactorAnswer | undefined
  readonly from: string
  readonly language: Language
  readonly origin: string
}

/**
 * Proves the second factor of a user with the right password. Returns false for a user who has
 * none. Throws `factorRequired` without an answer, and as {@link proveFactor} does.
 */
export const proveAtSignIn = async (
  context: MailContext,
  { id, username }: Known,
  { answer, from, ...here }: AtSignIn,
): Promise<boolean> => {
  await completeReset(context, id)
  const kinds = await kindsOf(context.db, id)
  if (kinds.length === 0) return false
  if (!answer) {
    const use = { purpose: 'prove', userId: id } as const
    const passkey = kinds.includes('PASSKEY')
      ? await passkeyOptions(context, use, here.origin)
      : undefined
    throw refusal('factorRequired', { kinds, ...(passkey && { passkey }) })
  }
  await proveFactor(context, { by: { id, name: username, from }, ...here }, answer)
  return true
}
