import type { Caller } from '../../base/sessions/actor.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { endSession } from '../../base/sessions/sessions.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'

/** Ends the caller's session, on every node from the next call on. Does nothing the second time. */
export const logOut = ({ db, keys }: OnRecord, { session, ...by }: Caller): Promise<void> =>
  endingSessions(db, async (transaction) => {
    if (session === undefined || !(await endSession(transaction, session))) return
    await record(transaction, keys, {
      by,
      action: 'session.ended',
      subject: { type: 'user', id: by.id },
      ownerId: by.id,
    })
  })
