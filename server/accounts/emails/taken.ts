import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

type WantedEmail = { readonly userId: string; readonly email: string }

/** True for an address of another account, or that a freeze may give back to one. */
export const isTaken = ({ userId, email }: WantedEmail): RawBuilder<boolean> => sql<boolean>`(
  EXISTS (SELECT FROM users WHERE username = ${email} AND id <> ${userId})
  OR EXISTS (SELECT FROM links WHERE kind = 'GIVE_BACK' AND address = ${email} AND user_id <> ${userId}
    AND ended_at IS NULL AND expires_at > now()))`

/** Looks whether an address is taken. */
export const isEmailTaken = async (
  transaction: Kysely<Schema>,
  wanted: WantedEmail,
): Promise<boolean> => {
  const { rows } = await sql<{ taken: boolean }>`SELECT ${isTaken(wanted)} AS taken`.execute(
    transaction,
  )
  return rows[0]?.taken === true
}
