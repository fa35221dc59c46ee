import {
  type Proposal,
  type ProposalStatus,
  proposalKindNames,
} from '@pool/contract/agreements/proposals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { rulesOf } from './kinds.ts'
import { COLUMNS, proposalOf } from './row.ts'

type Stored = Selectable<Schema['proposals']>['status']
const statusOf: Readonly<Record<Exclude<Stored, 'OPEN'>, ProposalStatus>> = {
  RESTING: 'APPROVED',
  DONE: 'APPROVED',
  REJECTED: 'REJECTED',
  WITHDRAWN: 'REJECTED',
  STOPPED: 'REJECTED',
  EXPIRED: 'EXPIRED',
}

type ProposalFilter = {
  readonly userId?: string | undefined
  readonly ids?: readonly string[] | undefined
  /** True for those that any member of staff decides about. */
  readonly byStaff?: true
}

/**
 * The proposals that wait or rest, and mailed invites: of one user or of all, newest first. With
 * ids, those alone, in any status.
 */
export const listProposals = async (
  db: Kysely<Schema>,
  { userId, ids, byStaff }: ProposalFilter,
): Promise<Proposal[]> => {
  const rows = await db
    .selectFrom('proposals as p')
    .leftJoin('users as u', 'u.id', 'p.user_id')
    .innerJoin('users as asker', 'asker.id', 'p.asked_by')
    .leftJoin('links as i', 'i.id', 'p.id')
    .select(COLUMNS.map((column) => `p.${column}` as const))
    .select(['p.subject', 'p.status', 'p.asked_at'])
    .select(['u.username', 'asker.username as asker', 'i.expires_at'])
    .select(sql<boolean>`is_standing(p)`.as('is_standing'))
    .$if(ids === undefined, (query) =>
      query.where(sql<boolean>`(is_standing(p) OR is_open_invite(i))`),
    )
    .$if(ids !== undefined, (query) => query.where('p.id', 'in', ids ?? []))
    // During an upgrade, newer nodes may know more kinds.
    .where('p.kind', 'in', proposalKindNames)
    .$if(userId !== undefined, (query) => query.where('p.user_id', '=', userId ?? ''))
    .$if(byStaff === true, (query) => query.where('p.by_staff', '=', true))
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
      status:
        row.status === 'OPEN' ? (row.is_standing ? 'PENDING' : 'EXPIRED') : statusOf[row.status],
      askedById: row.asked_by,
      askedBy: row.asker,
      askedAt: timestampFromDate(row.asked_at),
      restsUntil: restsUntil && timestampFromDate(restsUntil),
      linkUntil: row.expires_at && timestampFromDate(row.expires_at),
    }
  })
}
