import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { endReadingKeysOf } from '../../base/sessions/readingKeys.ts'
import { record } from '../../records/audit/record.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import { languageOf } from './stopReset.ts'

type Ending = {
  readonly userId: string
  readonly by: Actor
  /** The only key to end. Undefined ends all. */
  readonly id?: string
}

/**
 * Ends keys for reading of a user. Records those that worked and mails the owner. Returns their
 * names.
 */
export const endReadingKeys = async (
  transaction: Kysely<Schema>,
  { config, keys }: Pick<MailContext, 'config' | 'keys'>,
  { userId, by, id }: Ending,
): Promise<readonly string[]> => {
  const names = await endReadingKeysOf(transaction, userId, id)
  if (names.length === 0) return names
  const user = await transaction
    .selectFrom('users')
    .select(['username', 'first_name', sql<Date>`now()`.as('at')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  // A thief may have named a key, so that the mail tells their number alone.
  await queueMails(transaction, config, {
    template: 'readingKeysEnded',
    parameters: { firstName: user.first_name, at: user.at.toISOString(), keys: names.length },
    userId,
    recipient: user.username,
    language: await languageOf(transaction, userId),
  })
  await record(transaction, keys, {
    by,
    action: 'readingKey.ended',
    subject: { type: 'user', id: userId },
    ownerId: userId,
    after: { names },
  })
  return names
}
