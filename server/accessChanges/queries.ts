import type { AccessChange } from '@pool/contract/accessChanges'
import { timestampFromDate } from '@pool/contract/timestamp'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** The open and resting changes of access, and invites: of one user or of all, newest first. */
export const listAccessChanges = async (
  db: Kysely<Schema>,
  userId: string | undefined,
): Promise<AccessChange[]> => {
  const rows = await db
    .selectFrom('access_changes as c')
    .leftJoin('users as u', 'u.id', 'c.user_id')
    .innerJoin('users as asker', 'asker.id', 'c.asked_by')
    .select(['c.id', 'c.user_id', 'c.kind', 'c.role', 'c.reason', 'c.asked_by', 'c.asked_at'])
    .leftJoin('factor_resets as r', 'r.id', 'c.id')
    .leftJoin('invites as i', 'i.id', 'c.id')
    .select(['u.username', 'asker.username as asker', 'r.rests_until', 'i.email', 'i.expires_at'])
    .where(sql<boolean>`(is_open_change(c) OR is_resting_reset(r) OR is_open_invite(i))`)
    .$if(userId !== undefined, (query) => query.where('c.user_id', '=', userId ?? ''))
    .orderBy('c.asked_at', 'desc')
    .orderBy('c.id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    username: row.username ?? row.email ?? '',
    kind: row.kind,
    role: row.role,
    reason: row.reason,
    askedById: row.asked_by,
    askedBy: row.asker,
    askedAt: timestampFromDate(row.asked_at),
    restsUntil: row.rests_until && timestampFromDate(row.rests_until),
    linkUntil: row.expires_at && timestampFromDate(row.expires_at),
  }))
}
