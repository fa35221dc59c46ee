import { refusal } from '@pool/contract/base/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import type { MailContext } from '../mail/send.ts'
import { takeBack } from '../recovery/takeBack.ts'

/** Ends a session of the caller by its public id. Throws `sessionNotFound`. */
export const endOwnSession = ({ db, keys }: OnRecord, by: Caller, id: string): Promise<void> =>
  endingSessions(db, async (transaction) => {
    const ended = await transaction
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('user_id', '=', by.id)
      .returning('token_hash')
      .executeTakeFirst()
    if (!ended) throw refusal('sessionNotFound')
    const isOwn = ended.token_hash.toString('hex') === by.session
    await recordEnded({ db: transaction, keys }, isOwn ? { ...by, session: undefined } : by, 1)
  })

/**
 * Ends every session of the caller but this one and what they made, also the keys for reading
 * unless they are to stay. Returns the number of sessions.
 */
export const endOtherSessions = (
  context: MailContext,
  by: Caller,
  { keepReadingKeys }: { readonly keepReadingKeys: boolean },
): Promise<number> =>
  endingSessions(context.db, async (transaction) => {
    const { id: userId, session: kept } = by
    const ended = await takeBack(transaction, context, {
      userId,
      by,
      act: 'othersEnded',
      kept,
      keepReadingKeys,
    })
    if (ended.length > 0)
      await recordEnded({ db: transaction, keys: context.keys }, by, ended.length)
    return ended.length
  })

const recordEnded = (
  { db, keys }: { readonly db: Kysely<Schema> } & Pick<OnRecord, 'keys'>,
  by: Caller,
  sessions: number,
): Promise<void> =>
  record(db, keys, {
    by,
    action: 'session.othersEnded',
    subject: { type: 'user', id: by.id },
    ownerId: by.id,
    after: { sessions },
  })
