import type { Kysely } from 'kysely'
import { record } from '../audit/record.ts'
import type { Schema } from '../db/schema.ts'
import type { Caller } from '../sessions/author.ts'
import { endingSessions } from '../sessions/ending.ts'
import { endSession } from '../sessions/sessions.ts'

/** Ends the session that the caller uses, on every node from the next call on. Does nothing a second time. */
export const logOut = (db: Kysely<Schema>, { session, ...by }: Caller): Promise<void> =>
  endingSessions(db, async (transaction) => {
    if (session === undefined || !(await endSession(transaction, session))) return
    await record(transaction, { by, action: 'session.ended', subject: { type: 'user', id: by.id }, ownerId: by.id })
  })
