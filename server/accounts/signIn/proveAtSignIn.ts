import type { FactorAnswer } from '@pool/contract/accounts/factors'
import type { Language } from '@pool/contract/base/languages'
import { Refusal, type RefusalCode, refusal } from '@pool/contract/base/refusals'
import { passkeyOptions } from '../factors/passkeys.ts'
import { proveFactor } from '../factors/proveFactor.ts'
import { kindsOf } from '../factors/queries.ts'
import { completeReset } from '../factors/resets.ts'
import type { MailContext } from '../mail/send.ts'
import type { KnownUser } from './logIn.ts'
import { mailRefusedFactor } from './mailRefusedFactor.ts'

/** The refusals of a wrong answer. */
const WRONG: readonly RefusalCode[] = ['factorWrong', 'passkeyRefused']

export type AtSignIn = {
  readonly answer: FactorAnswer | undefined
  readonly from: string
  readonly language: Language
  readonly origin: string
}

/**
 * Proves a user's second factor. Returns the moment of its making, but none for a leaked app. Tells
 * the owner of a wrong one. Throws `factorRequired`, and as {@link proveFactor} does.
 */
export const proveAtSignIn = async (
  context: MailContext,
  { id, username }: KnownUser,
  { answer, from, ...here }: AtSignIn,
): Promise<Date | undefined> => {
  await completeReset(context, id)
  const kinds = await kindsOf(context.db, id)
  if (kinds.length === 0) return undefined
  if (!answer) {
    const use = { purpose: 'prove', userId: id } as const
    const passkey = kinds.includes('PASSKEY')
      ? await passkeyOptions(context, use, here.origin)
      : undefined
    throw refusal('factorRequired', { kinds, ...(passkey && { passkey }) })
  }
  const by = { id, name: username, from }
  try {
    const { madeAt, isLeaked } = await proveFactor(context, { by, ...here }, answer)
    return isLeaked ? undefined : madeAt
  } catch (error) {
    if (error instanceof Refusal && WRONG.includes(error.code)) await mailRefusedFactor(context, by)
    throw error
  }
}
