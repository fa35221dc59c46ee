import { type Proposal, proposalKindNames } from '@pool/contract/proposals'
import { timestampFromDate } from '@pool/contract/timestamp'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { rulesOf } from './kinds.ts'
import { COLUMNS, proposalOf } from './row.ts'

/** The proposals that wait or rest, and mailed invites: of one user or of all, newest first. */
export const listProposals = async (
  db: Kysely<Schema>,
  userId: string | undefined,
): Promise<Proposal[]> => {
  const rows = await db
    .selectFrom('proposals as p')
    .leftJoin('users as u', 'u.id', 'p.user_id')
    .innerJoin('users as asker', 'asker.id', 'p.asked_by')
    .leftJoin('invites as i', 'i.id', 'p.id')
    .select(COLUMNS.map((column) => `p.${column}` as const))
    .select(['p.subject', 'p.status', 'p.asked_by', 'p.asked_at'])
    .select(['u.username', 'asker.username as asker', 'i.expires_at'])
    .where(sql<boolean>`(is_standing(p) OR is_open_invite(i))`)
    // During an upgrade, newer nodes may know more kinds.
    .where('p.kind', 'in', proposalKindNames)
    .$if(userId !== undefined, (query) => query.where('p.user_id', '=', userId ?? ''))
    .orderBy('p.asked_at', 'desc')
    .orderBy('p.id', 'desc')
    .execute()
  return rows.map((row) => {
    const { id, kind, payload, reason, restsUntil } = proposalOf(row)
    return {
      id,
      userId: row.user_id,
      about: row.username ?? row.subject,
      kind,
      facts: rulesOf(kind).facts(payload),
      reason,
      askedById: row.asked_by,
      askedBy: row.asker,
      askedAt: timestampFromDate(row.asked_at),
      restsUntil: restsUntil && timestampFromDate(restsUntil),
      linkUntil: row.expires_at && timestampFromDate(row.expires_at),
    }
  })
}
