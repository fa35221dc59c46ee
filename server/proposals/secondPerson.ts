/** The second person of an act that takes two. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

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

/** True for accounts that count as one person in decisions of two. */
export const isSamePerson = async (
  db: Kysely<Schema>,
  one: string,
  other: string,
): Promise<boolean> => {
  const { rows } = await sql<{ same: boolean }>`
    SELECT is_same_person(${one}, ${other}) AS same`.execute(db)
  return rows[0]?.same === true
}
