/** The second person of an act that takes two. */
import type { ProposalKind } from '@pool/contract/agreements/proposals'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { isSamePerson } from '../../base/sessions/samePerson.ts'
import type { Rules } from './kind.ts'

/**
 * True while a super admin, or any member of staff, can decide about what this user asks for. A
 * person whom this user admitted alone in the last 24 hours does not count (docs/threats.md T52).
 */
export const hasSecondPerson = async (
  db: Kysely<Schema>,
  { userId, byStaff }: { readonly userId: string; readonly byStaff: boolean },
): Promise<boolean> => {
  const roles = byStaff ? ['ADMIN', 'SUPER_ADMIN'] : ['SUPER_ADMIN']
  const { rows } = await sql<{ has: boolean }>`
    SELECT EXISTS (
      SELECT FROM user_roles AS r JOIN users AS u ON u.id = r.user_id
      WHERE r.role = ANY (${roles}) AND u.id <> ${userId} AND u.suspended_at IS NULL
        AND NOT EXISTS (SELECT FROM user_roles AS given WHERE given.user_id = u.id
          AND given.alone_by = ${userId} AND given.granted_at > now() - interval '24 hours')) AS has`.execute(
    db,
  )
  return rows[0]?.has === true
}

/**
 * Throws `lendingNeedsSuperAdmin` where the loans that people agreed to pay out in 24 hours come to
 * more than one pool's limit with this one, and neither of its two is a super admin.
 */
export const requireLendingPace = async (
  db: Kysely<Schema>,
  { id, principal, by }: { readonly id: string; readonly principal: bigint; readonly by: string },
): Promise<void> => {
  const { rows } = await sql<{ refused: boolean }>`
    SELECT ${principal}::bigint + coalesce(sum((p.payload ->> 'amount')::numeric * 100), 0) > (SELECT per_pool FROM approval_limits)
      AND NOT EXISTS (SELECT FROM user_roles WHERE role = 'SUPER_ADMIN' AND user_id IN (${by}, (SELECT asked_by FROM proposals WHERE id = ${id}))) AS refused
    FROM proposals AS p WHERE p.kind IN ('DISBURSE_LOAN', 'SEND_LOAN') AND p.status = 'DONE'
      AND p.decided_at > now() - interval '24 hours' AND p.id <> ${id}`.execute(db)
  if (rows[0]?.refused !== false) throw refusal('lendingNeedsSuperAdmin')
}

type Concerned = { readonly userId: string | null; readonly by: string }

/** Throws the refusal of a kind to the person concerned, or to that account alone. */
export const requireOthers = async (
  db: Kysely<Schema>,
  { own, ownAccount }: Pick<Rules<ProposalKind>, 'own' | 'ownAccount'>,
  { userId, by }: Concerned,
): Promise<void> => {
  if (!own) return
  const isOwn = ownAccount ? userId === by : await isSamePerson(db, userId, by)
  if (isOwn) throw refusal(own)
}
