import { refusal } from '@pool/contract/base/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { takeLock } from '../../base/locks.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { mayAct } from '../../base/sessions/sessions.ts'

type UserToHold = {
  readonly userId: string | null
  readonly by: Caller
  readonly evenClosed?: boolean | undefined
}

/**
 * Locks the user concerned, then waits for open groups. So steps come one at a time on every node.
 * Throws `userNotFound`, `accountClosed`, and `unauthenticated` after the end of the session.
 */
export const holdUser = async (
  transaction: Kysely<Schema>,
  { userId, by, evenClosed }: UserToHold,
): Promise<void> => {
  if (userId !== null) {
    const user = await transaction
      .selectFrom('users')
      .select('closed_at')
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!user) throw refusal('userNotFound')
    if (user.closed_at !== null && !evenClosed) throw refusal('accountClosed')
  }
  await takeLock(transaction, 'groups')
  // The step may end the session, so entries after it do not ask again.
  if (by.session !== undefined && !(await mayAct(transaction, by.session)))
    throw refusal('unauthenticated')
}
