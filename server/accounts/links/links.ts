/**
 * Mailed links that work once. They are added, found, used, ended and forgotten here alone. A use
 * and an end hold the user's row, so that of two at once one is first.
 */
import { INVITE_HOURS } from '@pool/contract/accounts/invites'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import { isDerived, type Link, linkOf, tokenDigest, tokenOf } from './tokens.ts'

/**
 * A link confirms an email or changes it, resets the password, freezes the account, or opens that
 * of an invite. `GIVE_BACK` freezes, too, and keeps its address from other accounts.
 */
export type LinkKind = Schema['links']['kind']

const DAY = 24 * 60

/** Minutes for which a link works. */
export const LINK_MINUTES = {
  CONFIRM: DAY,
  CHANGE: DAY,
  RESET: 30,
  FREEZE: 7 * DAY,
  GIVE_BACK: 7 * DAY,
  INVITE: INVITE_HOURS * 60,
} as const satisfies Readonly<Record<LinkKind, number>>

type NewLink = {
  /** By default a new one. */
  readonly id?: string
  readonly kind: LinkKind
  /** The account. Null for an invite, which opens one. */
  readonly userId: string | null
  /** The mailbox that it is mailed to, in lower case. */
  readonly address: string
  /** Adds the link only where this holds. */
  readonly where?: RawBuilder<boolean>
}

type AddedLink = { readonly link: Link; readonly until: Date; readonly isAdded: boolean }

/** Adds a link and returns it with its end, for a mail. Does the same work where it adds none. */
export const addLink = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  { id = newId(), kind, userId, address, where = sql`true` }: NewLink,
): Promise<AddedLink> => {
  const link = linkOf(keys, id)
  const digest = tokenDigest(tokenOf(keys, link))
  const end = sql`now() + make_interval(mins => ${LINK_MINUTES[kind]})`
  const { rows } = await sql<Omit<AddedLink, 'link'>>`
    WITH added AS (
      INSERT INTO links (id, kind, user_id, address, token_digest, expires_at)
      SELECT ${id}::uuid, ${kind}, ${userId}::uuid, ${address}, ${digest}::bytea, ${end}
      WHERE ${where} RETURNING id
    )
    SELECT ${end} AS until, EXISTS (SELECT FROM added) AS "isAdded"`.execute(transaction)
  const { until = new Date(), isAdded = false } = rows[0] ?? {}
  return { link, until, isAdded }
}

/** True for the row of a link that was not used, was not ended and has not run out. */
const IS_OPEN = sql<boolean>`ended_at IS NULL AND expires_at > now()`

/** A link that was found open. */
export type OpenLink<Kind extends LinkKind = LinkKind> = {
  readonly id: string
  readonly kind: Kind
  readonly userId: Kind extends 'INVITE' ? null : string
  readonly address: string
  readonly mailedAt: Date
}

/**
 * Finds the open link of a token, if it is of one of these kinds. One whose token no trusted key
 * derives is none: its key leaked, or SQL inserted it.
 */
export const findLink = async <Kind extends LinkKind>(
  { db, keys }: { readonly db: Kysely<Schema>; readonly keys: Keys },
  token: string,
  ...kinds: readonly Kind[]
): Promise<OpenLink<Kind> | undefined> => {
  const found = await db
    .selectFrom('links')
    .select(['id', 'kind', 'user_id as userId', 'address', 'created_at as mailedAt'])
    .where('token_digest', '=', tokenDigest(token))
    .where('kind', 'in', kinds)
    .where(IS_OPEN)
    .executeTakeFirst()
  return found && isDerived(keys, found.id, token) ? (found as OpenLink<Kind>) : undefined
}

/**
 * Uses a link, and ends the others of its kind, user and address. False when it was used or ended
 * meanwhile, or has run out.
 */
export const useLink = async (
  transaction: Kysely<Schema>,
  { id, kind, userId, address }: Omit<OpenLink, 'mailedAt'>,
): Promise<boolean> => {
  const { rows } = await sql<{ id: string; open: boolean }>`
    UPDATE links SET ended_at = now()
    WHERE kind = ${kind} AND user_id IS NOT DISTINCT FROM ${userId} AND address = ${address} AND ended_at IS NULL
    RETURNING id, expires_at > now() AS open`.execute(transaction)
  return rows.some((ended) => ended.id === id && ended.open)
}

type Ended = {
  /** Undefined for all users. */
  readonly userId?: string
  readonly kinds: readonly LinkKind[]
  /** Ends only links that were mailed after this one, and to another address. */
  readonly after?: Pick<OpenLink, 'id' | 'address'>
}

/** Ends open links of these kinds, of a user or of all. Returns their number. */
export const endLinks = async (
  transaction: Kysely<Schema>,
  { userId, kinds, after }: Ended,
): Promise<number> => {
  const { numUpdatedRows } = await transaction
    .updateTable('links')
    .set({ ended_at: sql<Date>`now()` })
    .$if(userId !== undefined, (links) => links.where('user_id', '=', userId ?? ''))
    .where('kind', 'in', kinds)
    .where(IS_OPEN)
    .$if(after !== undefined, (links) =>
      links
        .where('address', '<>', after?.address ?? '')
        .where(sql<boolean>`created_at > (SELECT created_at FROM links WHERE id = ${after?.id})`),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Deletes links that ran out a day ago. Returns their number. */
export const forgetOldLinks = async (db: Kysely<Schema>): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('links')
    .where('expires_at', '<', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
