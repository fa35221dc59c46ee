import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { tokenDigest } from './links.ts'

/** The tables of links. Each has a row's user, token digest, expiry and use. */
export type LinkTable = 'email_links' | 'freeze_links' | 'password_resets'

/** True for the row of a token whose link was not used and has not run out. */
export const isOpenLink = (token: string): RawBuilder<boolean> =>
  sql<boolean>`token_digest = ${tokenDigest(token)} AND used_at IS NULL AND expires_at > now()`

type Links = {
  readonly userId: string
  /** Ends only links of this kind, of `email_links`. */
  readonly kind?: string | undefined
}

/** Ends a user's links of a table. */
export const endLinks = async (
  transaction: Kysely<Schema>,
  table: LinkTable,
  links: Links,
): Promise<void> => {
  await end(transaction, table, links)
}

/** Uses a link and ends its user's others. False when it was used meanwhile, or has run out. */
export const useLink = async (
  transaction: Kysely<Schema>,
  table: LinkTable,
  { token, ...links }: Links & { readonly token: string },
): Promise<boolean> => {
  const digest = tokenDigest(token)
  const ended = await end(transaction, table, links)
  return ended.some(({ token_digest, open }) => open && token_digest.equals(digest))
}

const end = async (
  transaction: Kysely<Schema>,
  table: LinkTable,
  { userId, kind }: Links,
): Promise<readonly { readonly token_digest: Buffer; readonly open: boolean }[]> => {
  const ofKind = kind === undefined ? sql`` : sql`AND kind = ${kind}`
  const { rows } = await sql<{ token_digest: Buffer; open: boolean }>`
    UPDATE ${sql.table(table)} SET used_at = now() WHERE user_id = ${userId} AND used_at IS NULL ${ofKind}
    RETURNING token_digest, expires_at > now() AS open`.execute(transaction)
  return rows
}

/** Deletes a table's links that ran out a day ago. Returns their number. */
export const forgetOldLinks = async (db: Kysely<Schema>, table: LinkTable): Promise<number> => {
  const { numAffectedRows } =
    await sql`DELETE FROM ${sql.table(table)} WHERE expires_at < now() - interval '1 day'`.execute(
      db,
    )
  return Number(numAffectedRows ?? 0)
}
