/**
 * Notices as the rows that money and acts have left: no posting writes one (docs/decisions/030).
 */
import type { PauseName } from '@pool/contract/money/pauses'
import {
  agreementNotices,
  type NoticeKind,
  noticeActions,
  noticeOfType,
} from '@pool/contract/reports/notices'
import { type RawBuilder, sql } from 'kysely'

/** A notice as the branches below select it. `user_id` is null for everybody. */
export type EventRow = {
  readonly id: string
  readonly user_id: string | null
  readonly at: Date
  readonly kind: NoticeKind
  readonly transaction_id: string | null
  readonly amount: bigint | null
  readonly interest: bigint | null
  readonly reason: string | null
  readonly counts_at: Date | null
  readonly pause: PauseName | null
  readonly browser: string | null
  readonly system: string | null
}

const OF_TYPES = sql.join(
  Object.entries(noticeOfType).map(
    ([type, notice]) => sql`WHEN ${sql.lit(type)} THEN ${sql.lit(notice)}`,
  ),
  sql` `,
)

/**
 * Requests, opened and matured investments, as rows of `t` from a table. The id is the
 * transaction's.
 */
export const fromTransactions = (table: RawBuilder<unknown> = sql`transactions`) => sql`
  SELECT t.id, t.user_id, t.created_at AS at,
    CASE WHEN t.unannounced THEN 'deposit.unannounced' ELSE CASE t.type ${OF_TYPES} END END AS kind,
    t.id AS transaction_id, coalesce(t.requested_amount, t.amount) AS amount, coalesce(t.interest, paid.interest) AS interest,
    NULL AS reason, NULL::timestamptz AS counts_at, NULL AS pause, NULL AS browser, NULL AS system
  FROM ${table} AS t LEFT JOIN transactions AS paid ON paid.id = t.investment_id`

/** Staff are told of an agreement by its subject: `wallet.asked`. */
const kindOf = sql`CASE e.action WHEN 'agreement.asked' THEN e.subject_type || '.asked' ELSE e.action END`
/** Agreements `e` that all staff are told of. */
export const agreementsToTell: RawBuilder<boolean> = sql`(e.action = 'agreement.asked' AND e.subject_type || '.asked' = ANY (${agreementNotices}))`

/** Decisions and acts, as entries `e` of the audit trail. The id is the entry's nonce. */
export const fromEntries: RawBuilder<unknown> = sql`
  SELECT e.nonce AS id, e.owner_id AS user_id, e.created_at AS at, ${kindOf} AS kind,
    t.id AS transaction_id, coalesce(t.amount, CASE WHEN e.action = 'loss.announced' THEN (e.after ->> 'amount')::numeric * 100 END)::bigint AS amount, NULL::bigint AS interest,
    CASE WHEN e.action IN ('deposit.rejected', 'withdrawal.rejected', 'withdrawal.returned', 'switch.paused') THEN e.reason END AS reason,
    CASE WHEN e.action = 'loss.announced' THEN (e.after ->> 'countsAt')::timestamptz END AS counts_at,
    CASE WHEN e.subject_type = 'switch' THEN e.subject_id END AS pause,
    CASE WHEN e.action = 'session.newDevice' THEN e.after ->> 'browser' END AS browser,
    CASE WHEN e.action = 'session.newDevice' THEN e.after ->> 'system' END AS system
  FROM audit_entries AS e
  LEFT JOIN transactions AS t ON t.id = CASE WHEN e.subject_type = 'transaction' THEN e.subject_id::uuid END`

/** Entries `e` that are notices of their owner. */
export const noticed: RawBuilder<boolean> = sql`e.action = ANY (${noticeActions})`

/** The entries in the index `audit_entries_as_notices`: all but the frequent ones. */
export const INDEXED: RawBuilder<boolean> = sql`e.action <> ALL ('{session.started,session.refused,session.ended,factor.refused}'::text[])`
