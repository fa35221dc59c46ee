import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Keys } from '../keys/keys.ts'
import { type Link, newLink, tokenDigest, tokenOf } from './links.ts'
import { isOpenLink } from './openLinks.ts'

/** Hours for which a link works. */
const LINK_HOURS = 24

/** A link that confirms the address of a user, or changes it. */
export type EmailLink = {
  readonly userId: string
  readonly kind: 'CONFIRM' | 'CHANGE'
  readonly email: string
}

const taken = ({ userId, email }: Pick<EmailLink, 'userId' | 'email'>) => sql<boolean>`(
  EXISTS (SELECT FROM users WHERE username = ${email} AND id <> ${userId})
  OR EXISTS (SELECT FROM freeze_links WHERE email = ${email} AND user_id <> ${userId} AND used_at IS NULL AND expires_at > now()))`

/**
 * Adds a link to be mailed to an address. Returns it with its end, and without adding it where the
 * address is taken. Does the same work for both.
 */
export const addEmailLink = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  added: EmailLink,
): Promise<{ readonly link: Link; readonly until: Date; readonly isTaken: boolean }> => {
  const { userId, kind, email } = added
  const link = newLink(keys)
  const { rows } = await sql<{ until: Date; added: boolean }>`
    WITH added AS (
      INSERT INTO email_links (id, user_id, kind, email, token_digest, expires_at)
      SELECT ${link.id}::uuid, ${userId}::uuid, ${kind}, ${email}, ${tokenDigest(tokenOf(keys, link))}::bytea, now() + make_interval(hours => ${LINK_HOURS})
      WHERE NOT ${taken(added)} RETURNING id
    )
    SELECT now() + make_interval(hours => ${LINK_HOURS}) AS until, EXISTS (SELECT FROM added) AS added`.execute(
    transaction,
  )
  const { until = new Date(), added: isAdded = false } = rows[0] ?? {}
  return { link, until, isTaken: !isAdded }
}

/** True for an address of another account, or that a freeze may give back to one. */
export const isEmailTaken = async (
  transaction: Kysely<Schema>,
  user: { readonly userId: string; readonly email: string },
): Promise<boolean> => {
  const { rows } = await sql<{ taken: boolean }>`SELECT ${taken(user)} AS taken`.execute(
    transaction,
  )
  return rows[0]?.taken === true
}

/** Finds a link that was not used and has not run out. */
export const findEmailLink = async (
  db: Kysely<Schema>,
  token: string,
): Promise<EmailLink | undefined> => {
  const found = await db
    .selectFrom('email_links')
    .select(['user_id', 'kind', 'email'])
    .where(isOpenLink(token))
    .executeTakeFirst()
  return found && { userId: found.user_id, kind: found.kind, email: found.email }
}
