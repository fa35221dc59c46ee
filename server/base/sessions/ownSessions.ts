import type { OwnSession } from '@pool/contract/accounts/sessions'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { readDevice } from './device.ts'
import { bytesOf, type Session } from './sessions.ts'

const living = (db: Kysely<Schema>, userId: string) =>
  db
    .selectFrom('sessions as s')
    .select(['id', 'ip', 'user_agent', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where(sql<boolean>`is_living(s)`)

type OwnSessionRow = Awaited<ReturnType<ReturnType<typeof living>['executeTakeFirstOrThrow']>>

const onTheWire = ({ id, ip, user_agent, created_at, last_used_at }: OwnSessionRow) => ({
  id,
  device: readDevice(user_agent),
  ip,
  startedAt: timestampFromDate(created_at),
  lastUsedAt: timestampFromDate(last_used_at),
})

/** The living sessions of the caller: this one, then the latest used. */
export const listSessions = async (
  db: Kysely<Schema>,
  { hash, userId }: Session,
): Promise<OwnSession[]> => {
  const rows = await living(db, userId)
    .select(sql<boolean>`token_hash = ${bytesOf(hash)}`.as('current'))
    .orderBy('current', 'desc')
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...onTheWire(row), current: row.current }))
}

/** The living sessions of a user, the latest used first. */
export const listSessionsOf = async (
  db: Kysely<Schema>,
  userId: string,
): Promise<Omit<OwnSession, 'current'>[]> => {
  const rows = await living(db, userId).orderBy('last_used_at', 'desc').orderBy('id').execute()
  return rows.map(onTheWire)
}
