import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Keys } from '../keys/keys.ts'
import { type Link, newLink, tokenOf } from '../mail/links.ts'
import { tokenDigest } from './resetTokens.ts'

/** Days for which a link works. */
const LINK_DAYS = 7

/**
 * Adds a link that freezes a user's account, and gives it back the address `email`. Returns it with
 * its end, for a mail.
 */
export const addFreezeLink = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  { userId, email = null }: { readonly userId: string; readonly email?: string | null },
): Promise<{ readonly link: Link; readonly until: Date }> => {
  const link = newLink(keys)
  const { expires_at } = await transaction
    .insertInto('freeze_links')
    .values({
      id: link.id,
      user_id: userId,
      email,
      token_digest: tokenDigest(tokenOf(keys, link)),
      expires_at: sql<Date>`now() + make_interval(days => ${LINK_DAYS})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { link, until: expires_at }
}

/**
 * Uses a link and ends its user's others. Returns the user, the moment of the mail, and the address
 * to give back. Undefined for no open link.
 */
export const useFreezeLink = async (
  transaction: Kysely<Schema>,
  token: string,
): Promise<
  { readonly userId: string; readonly at: Date; readonly email: string | null } | undefined
> => {
  const used = await transaction
    .updateTable('freeze_links')
    .set({ used_at: sql<Date>`now()` })
    .where('token_digest', '=', tokenDigest(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['user_id', 'created_at', 'email'])
    .executeTakeFirst()
  if (used)
    await transaction
      .updateTable('freeze_links')
      .set({ used_at: sql<Date>`now()` })
      .where('user_id', '=', used.user_id)
      .where('used_at', 'is', null)
      .execute()
  return used && { userId: used.user_id, at: used.created_at, email: used.email }
}

/** Deletes links that ran out a day ago. Returns their number. */
export const forgetOldFreezeLinks = async (db: Kysely<Schema>): Promise<number> => {
  const { numAffectedRows } =
    await sql`DELETE FROM freeze_links WHERE expires_at < now() - interval '1 day'`.execute(db)
  return Number(numAffectedRows ?? 0)
}
