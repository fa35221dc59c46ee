/** The second person of an act that takes two. */
import type { ProposalKind } from '@pool/contract/proposals'
import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { isSamePerson } from '../sessions/samePerson.ts'
import type { Rules } from './kind.ts'

/**
 * True while another person can decide about what this user asks for: a super admin, or any member
 * of staff. Whom the user let in alone within 24 hours is no other person (docs/threats.md T52).
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
