import type { Note, Person, PersonAccess } from '@pool/contract/accounts/people'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { listSessionsOf } from '../../base/sessions/ownSessions.ts'
import { balancesOf } from '../../ledger/families/accounts.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { listFactors } from '../factors/queries.ts'
import { findUser, rolesOf } from './queries.ts'

/** A user with their balances. */
export const findPerson = async (db: Kysely<Schema>, id: string): Promise<Person | undefined> => {
  const user = await findUser(db, id)
  if (!user) return undefined
  const { roles: _, ...rest } = user
  return { ...rest, balances: await balancesOf(db, id) }
}

/** A user's roles, living sessions and second factors. Undefined for no user. */
export const findAccess = async (
  { db, keys }: OnRecord,
  id: string,
): Promise<PersonAccess | undefined> => {
  const roles = await rolesOf(db, id)
  return (
    roles && {
      roles: roles.map((type) => ({ type })),
      sessions: await listSessionsOf(db, id),
      ...(await listFactors({ db, keys }, id)),
    }
  )
}

/** Most notes of a list. */
const LISTED = 500

/** The notes about a user, the newest first. */
export const listNotes = async (db: Kysely<Schema>, userId: string): Promise<Note[]> => {
  const rows = await db
    .selectFrom('notes')
    .innerJoin('users as author', 'author.id', 'notes.author_id')
    .select(['notes.id', 'notes.text', 'notes.created_at', 'author.username'])
    .where('notes.user_id', '=', userId)
    .orderBy('notes.created_at', 'desc')
    .orderBy('notes.id', 'desc')
    .limit(LISTED)
    .execute()
  return rows.map(({ id, text, created_at, username }) => ({
    id,
    author: username,
    at: timestampFromDate(created_at),
    text,
  }))
}

/** True for the id of a user. */
export const isUser = async (db: Kysely<Schema>, id: string): Promise<boolean> =>
  (await db.selectFrom('users').select(sql`1`.as('found')).where('id', '=', id).execute()).length >
  0
