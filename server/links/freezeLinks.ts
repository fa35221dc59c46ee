import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Keys } from '../keys/keys.ts'
import { type Link, newLink, tokenDigest, tokenOf } from './links.ts'
import { isOpenLink, useLink } from './openLinks.ts'

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

export type FreezeLink = {
  readonly userId: string
  /** The moment of the mail. */
  readonly at: Date
  /** The address to give back. */
  readonly email: string | null
}

/** Uses a link and ends its user's others. Undefined for no open link. */
export const useFreezeLink = async (
  transaction: Kysely<Schema>,
  token: string,
): Promise<FreezeLink | undefined> => {
  const found = await transaction
    .selectFrom('freeze_links')
    .select(['user_id', 'created_at', 'email'])
    .where(isOpenLink(token))
    .executeTakeFirst()
  if (!found) return undefined
  const { user_id: userId, created_at: at, email } = found
  return (await useLink(transaction, 'freeze_links', { userId, token }))
    ? { userId, at, email }
    : undefined
}
