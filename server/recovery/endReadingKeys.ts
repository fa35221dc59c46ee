import type { Kysely } from 'kysely'
import { type OnRecord, record } from '../audit/record.ts'
import type { Schema } from '../db/schema.ts'
import type { Actor } from '../sessions/actor.ts'
import { endReadingKeysOf } from '../sessions/readingKeys.ts'

type Ending = {
  readonly userId: string
  readonly by: Actor
  /** The only key to end. Undefined ends all. */
  readonly id?: string
}

/** Ends keys for reading of a user and records those that worked. Returns their names. */
export const endReadingKeys = async (
  transaction: Kysely<Schema>,
  { keys }: Pick<OnRecord, 'keys'>,
  { userId, by, id }: Ending,
): Promise<readonly string[]> => {
  const names = await endReadingKeysOf(transaction, userId, id)
  if (names.length > 0)
    await record(transaction, keys, {
      by,
      action: 'readingKey.ended',
      subject: { type: 'user', id: userId },
      ownerId: userId,
      after: { names },
    })
  return names
}
