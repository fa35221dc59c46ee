import { sql } from 'kysely'
import { endLinks } from '../../accounts/links/links.ts'
import type { MailContext } from '../../accounts/mail/send.ts'
import { endReadingKeys } from '../../accounts/recovery/endReadingKeys.ts'
import { endWaitingAddresses } from '../../accounts/recovery/endWaitingAddresses.ts'
import { stopReset } from '../../accounts/recovery/stopReset.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { endingSessions } from '../../base/sessions/ending.ts'

/**
 * Ends what may have ended since the backup: sessions, keys for reading, links for a new email or
 * password, waiting payout addresses, and each reset of factors that rests. Returns their numbers.
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
    // A link that was used since works again, and an ended payout address waits again.
    await endLinks(transaction, { kinds: ['CHANGE', 'RESET'] })
    await endWaitingAddresses(transaction, context.keys, { by })
    const { numDeletedRows } = await transaction.deleteFrom('sessions').executeTakeFirstOrThrow()
    return { sessions: Number(numDeletedRows), readingKeys, resets: resting.length }
  })
