import { refusal } from '@pool/contract/base/refusals'
import type { Actor } from '../../base/sessions/actor.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { passwordMatches } from './passwords.ts'

/** Returns a signed-in user whose password this is. Throws `wrongPassword`, and records it. */
export const requirePassword = async (
  { db, keys }: OnRecord,
  { userId, password, by }: { readonly userId: string; readonly password: string; by: Actor },
) => {
  const user = await db
    .selectFrom('users')
    .select(['username', 'first_name', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (user && (await passwordMatches(user.password_hash, password))) return user
  await record(db, keys, {
    by,
    action: 'session.refused',
    subject: { type: 'user', id: userId },
    ownerId: userId,
    reason: 'wrongPassword',
  })
  throw refusal('wrongPassword')
}
