import type { Note } from '@pool/contract/accounts/people'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { ACCOUNTS_ARE_OPEN, violatedConstraint } from '../../base/db/errors.ts'
import { newId } from '../../base/db/ids.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { isUser } from './readPerson.ts'

type NewNote = { readonly userId: string; readonly text: string; readonly by: Caller }

/** Adds a note about a user. Throws `userNotFound` and `accountClosed`. */
export const addNote = async (
  { db, keys }: OnRecord,
  { userId, text, by }: NewNote,
): Promise<Note> => {
  const adding = db.transaction().execute(async (transaction) => {
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
  return adding.catch((error: unknown) => {
    throw violatedConstraint(error) === ACCOUNTS_ARE_OPEN ? refusal('accountClosed') : error
  })
}
