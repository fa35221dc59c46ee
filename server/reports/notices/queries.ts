import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import {
  type listNotices as endpoint,
  MOST_UNREAD,
  NOTICES_PAGE,
  type Notice,
  noticeActions,
  noticeFacts,
  noticeKinds,
  noticeOfType,
  poolActions,
  staffActions,
} from '@pool/contract/reports/notices'
import { transactionTypes } from '@pool/contract/requests/transactions'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Schema } from '../../base/db/schema.ts'
import {
  agreementsToTell,
  type EventRow,
  fromEntries,
  fromTransactions,
  INDEXED,
} from './events.ts'

/** The reader of notices. Staff make pauses, so they get none of them, and those of staff. */
export type Reader = { readonly userId: string; readonly isStaff: boolean }

type Request = Pick<z.infer<typeof endpoint.query>, 'limit' | 'cursor' | 'state'>
type NoticesPage = z.infer<typeof endpoint.body>

/** Notices of this moment and later are unread. The wire has milliseconds, so they count. */
const unreadSince = (userId: string): RawBuilder<Date> => sql<Date>`
  coalesce((SELECT read_until FROM notice_settings WHERE user_id = ${userId}), '-infinity') + interval '1 millisecond'`

const ownUnread = noticeKinds.filter((kind) => !noticeFacts[kind].isOwn)
const unreadActions = noticeActions.filter((action) => !('isOwn' in noticeFacts[action]))

const unreadTypes = transactionTypes.filter((type) => !noticeFacts[noticeOfType[type]].isOwn)

/** Most transactions of a user that are searched for unread ones. Own investments are not. */
const MOST_SEARCHED = 500

/** The number of unread notices up to {@link MOST_UNREAD}. Reads no more rows for a long list. */
export const countUnread = async (
  db: Kysely<Schema>,
  { userId, isStaff }: Reader,
): Promise<number> => {
  const since = unreadSince(userId)
  const { rows } = await sql<{ unread: number }>`
    SELECT least(${MOST_UNREAD}, count(*))::integer AS unread FROM (
      (SELECT 1 FROM (
        SELECT type FROM transactions WHERE user_id = ${userId} AND created_at >= ${since}
        ORDER BY created_at DESC, id DESC LIMIT ${MOST_SEARCHED}) AS latest
      WHERE type = ANY (${unreadTypes}) LIMIT ${MOST_UNREAD})
      UNION ALL
      (SELECT 1 FROM audit_entries AS e WHERE owner_id = ${userId} AND ${INDEXED}
        AND action = ANY (${unreadActions}) AND created_at >= ${since} LIMIT ${MOST_UNREAD})
      UNION ALL
      (SELECT 1 FROM audit_entries AS e WHERE ${sharedWith({ userId, isStaff })}
        AND created_at >= ${since} LIMIT ${MOST_UNREAD})
    ) AS found`.execute(db)
  return rows[0]?.unread ?? 0
}

/** Entries `e` for all investors, or for all staff, since the reader registered. */
const sharedWith = ({ userId, isStaff }: Reader): RawBuilder<boolean> =>
  sql<boolean>`(e.action = ANY (${isStaff ? staffActions : poolActions}) ${isStaff ? sql`OR ${agreementsToTell}` : sql``})
    AND e.created_at >= (SELECT created_at FROM users WHERE id = ${userId})`

type FoundEvent = EventRow & { readonly micros: bigint; readonly is_unread: boolean }

/** A page of notices, newest first. Reads a page of each source by its index. */
export const listNotices = async (
  db: Kysely<Schema>,
  reader: Reader,
  { limit = NOTICES_PAGE, cursor, state }: Request,
): Promise<NoticesPage> => {
  const { userId } = reader
  const most = limit + 1
  const before = (moment: string, id: string): RawBuilder<boolean> => {
    if (cursor === undefined) return sql<boolean>`true`
    const [micros, last] = cursor.split('.')
    return sql<boolean>`(${sql.ref(moment)}, ${sql.ref(id)})
      < ('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${last}::uuid)`
  }
  /** Notices of the asked state, by their moment and whether their kind can be unread. */
  const ofState = (moment: string, canBeUnread: RawBuilder<boolean>): RawBuilder<boolean> =>
    state === undefined
      ? sql<boolean>`true`
      : sql<boolean>`(${canBeUnread} AND ${sql.ref(moment)} >= ${unreadSince(userId)}) = ${state === 'unread'}`
  const page = (by: string, id: string) =>
    sql`ORDER BY ${sql.ref(by)} DESC, ${sql.ref(id)} DESC LIMIT ${most}`
  const { rows } =
    limit === 0
      ? { rows: [] }
      : await sql<FoundEvent>`
    SELECT n.*, (extract(epoch FROM at) * 1000000)::bigint AS micros,
      kind = ANY (${ownUnread}) AND at >= ${unreadSince(userId)} AS is_unread
    FROM (
      (${fromTransactions()} WHERE t.user_id = ${userId} AND ${ofState('t.created_at', sql`t.type = ANY (${unreadTypes})`)}
        AND ${before('t.created_at', 't.id')} ${page('t.created_at', 't.id')})
      UNION ALL
      (${fromEntries} WHERE e.owner_id = ${userId} AND ${INDEXED} AND e.action = ANY (${noticeActions})
        AND ${ofState('e.created_at', sql`e.action = ANY (${unreadActions})`)} AND ${before('e.created_at', 'e.nonce')} ${page('e.created_at', 'e.nonce')})
      UNION ALL
      (${fromEntries} WHERE ${sharedWith(reader)} AND ${ofState('e.created_at', sql`true`)}
        AND ${before('e.created_at', 'e.nonce')} ${page('e.created_at', 'e.nonce')})
    ) AS n ORDER BY at DESC, id DESC LIMIT ${most}`.execute(db)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    notices: shown.map(onTheWire),
    unread: await countUnread(db, reader),
    next: last ? `${last.micros}.${last.id}` : null,
  }
}

const onTheWire = (row: FoundEvent): Notice => ({
  id: row.id,
  kind: row.kind,
  at: timestampFromDate(row.at),
  unread: row.is_unread,
  ...(row.transaction_id !== null && { transactionId: row.transaction_id }),
  ...(row.amount !== null && { amount: dollarsFromCents(cents(row.amount)) }),
  ...(row.interest !== null && { interest: dollarsFromCents(cents(row.interest)) }),
  ...(row.counts_at !== null && { countsAt: timestampFromDate(row.counts_at) }),
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.pause !== null && { pause: row.pause }),
  ...(row.kind === 'session.newDevice' && {
    device: { browser: row.browser, system: row.system },
  }),
})
