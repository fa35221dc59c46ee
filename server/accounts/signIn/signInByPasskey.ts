import type { PasskeyResponse } from '@pool/contract/accounts/factors'
import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import type { Origin } from '../../base/sessions/device.ts'
import { record } from '../../records/audit/record.ts'
import { usePasskey } from '../factors/passkeys.ts'
import { completeReset, stopOwnReset } from '../factors/resets.ts'
import type { MailContext } from '../mail/send.ts'
import { logIn, type SignedIn } from './logIn.ts'

type PasskeySignIn = {
  readonly response: PasskeyResponse
  readonly origin: string
  readonly device: Origin
  readonly language: Language
}

/**
 * Starts a session by a passkey alone, which is two factors: the device, and its owner's finger or
 * PIN. Throws `passkeyRefused`, and `suspended` to the owner.
 */
export const signInByPasskey = async (
  context: MailContext,
  { response, origin, device, language }: PasskeySignIn,
): Promise<SignedIn> => {
  const used = await usePasskey(context, { purpose: 'signIn' }, { response, origin })
  if (!used || (await completeReset(context, used.userId))) throw refusal('passkeyRefused')
  const { userId, madeAt: shownFrom } = used
  const user = await context.db
    .selectFrom('users')
    .select(['id', 'username', 'suspended_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await stopOwnReset(context, { id: userId, name: user.username, from: device.ip })
  if (user.suspended_at === null) return logIn(context, user, { device, language, shownFrom })
  await record(context.db, context.keys, {
    by: { id: userId, name: user.username, from: device.ip },
    action: 'session.refused',
    subject: { type: 'user', id: userId },
    ownerId: userId,
    reason: 'suspended',
  })
  throw refusal('suspended')
}
