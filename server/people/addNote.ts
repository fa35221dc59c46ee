import type { Note } from '@pool/contract/people'
import { refusal } from '@pool/contract/refusals'
import { timestampFromDate } from '@pool/contract/timestamp'
import { type OnRecord, record } from '../audit/record.ts'
import { newId } from '../db/ids.ts'
import type { Caller } from '../sessions/actor.ts'
import { isUser } from './queries.ts'

type NewNote = { readonly userId: string; readonly text: string; readonly by: Caller }

/** Adds a note about a user. Throws `userNotFound`. */
export const addNote = ({ db, keys }: OnRecord, { userId, text, by }: NewNote): Promise<Note> =>
  db.transaction().execute(async (transaction) => {
    if (!(await isUser(transaction, userId))) throw refusal('userNotFound')
    const { id, created_at } = await transaction
      .insertInto('notes')
      .values({ id: newId(), user_id: userId, author_id: by.id, text })
      .returning(['id', 'created_at'])
      .executeTakeFirstOrThrow()
    await record(transaction, keys, {
      by,
      action: 'note.added',
      subject: { type: 'user', id: userId },
      ownerId: userId,
    })
    return { id, author: by.name, at: timestampFromDate(created_at), text }
  })
