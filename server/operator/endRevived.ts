import { sql } from 'kysely'
import type { MailContext } from '../mail/send.ts'
import { endReadingKeys } from '../recovery/endReadingKeys.ts'
import { stopReset } from '../recovery/stopReset.ts'
import type { Actor } from '../sessions/actor.ts'
import { endingSessions } from '../sessions/ending.ts'

/**
 * Ends what may have ended since the backup: every session and key for reading, and each reset of
 * factors that rests, which no other decision would precede. Returns their numbers.
 */
export const endRevived = async (
  context: MailContext,
  by: Actor,
): Promise<{ readonly sessions: number; readonly readingKeys: number; readonly resets: number }> =>
  endingSessions(context.db, async (transaction) => {
    const resting = await transaction
      .selectFrom('proposals')
      .select(sql<string>`user_id`.as('userId'))
      .where('kind', '=', 'RESET_FACTORS')
      .where('status', '=', 'RESTING')
      .execute()
    for (const { userId } of resting) await stopReset(transaction, context, { userId, by })
    const holders = await transaction
      .selectFrom('reading_keys')
      .select('user_id')
      .distinct()
      .execute()
    let readingKeys = 0
    for (const { user_id: userId } of holders)
      readingKeys += (await endReadingKeys(transaction, context, { userId, by })).length
    const { numDeletedRows } = await transaction.deleteFrom('sessions').executeTakeFirstOrThrow()
    return { sessions: Number(numDeletedRows), readingKeys, resets: resting.length }
  })
