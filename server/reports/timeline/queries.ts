import type { Role } from '@pool/contract/accounts/users'
import { ACCOUNTS, readsAccounts } from '@pool/contract/reports/audit'
import {
  type readTimeline as endpoint,
  rowEvents,
  type TimelineRow,
} from '@pool/contract/reports/timeline'
import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { LaggingReads } from '../../base/db/replica.ts'
import type { Schema } from '../../base/db/schema.ts'
import { laggingFor } from '../../base/lists/lagging.ts'
import { given, list } from '../../base/lists/list.ts'
import { type EventRow, eventOnTheWire } from '../../records/audit/queries.ts'
import { FROM_OPERATOR } from '../../records/audit/record.ts'

type Question = {
  readonly reader: Role
  readonly userId: string
  readonly request: z.infer<typeof endpoint.query>
  readonly lagging?: LaggingReads | undefined
}

type TimelineEvent = EventRow & { readonly id: string }

/** Requests and investments of the user are their own acts. The rest of the rows are of jobs. */
const OWN_ACTS = ['deposit', 'withdrawal', 'investment']

/** The events that leave a row of transactions. An unannounced deposit has an entry. */
const fromRows = (userId: string) => sql`
  SELECT t.id, t.created_at, owner.id AS actor_id, coalesce(owner.username, 'system') AS actor,
    ${sql.val(JSON.stringify(Object.fromEntries(Object.entries(rowEvents).map(([type, { event }]) => [type, event]))))}::jsonb ->> t.type AS action,
    'transaction' AS subject_type, t.id::text AS subject_id, t.user_id AS owner_id,
    CASE WHEN owner.id IS NULL THEN 'job' ELSE '' END AS source, NULL::jsonb AS before,
    jsonb_strip_nulls(jsonb_build_object('amount', coalesce(t.requested_amount, t.amount)::numeric / 100,
      'interest', coalesce(t.interest, paid.interest)::numeric / 100)) AS after,
    NULL AS reason
  FROM transactions AS t
  LEFT JOIN users AS owner ON owner.id = t.user_id AND t.type = ANY (${OWN_ACTS})
  LEFT JOIN transactions AS paid ON paid.id = t.investment_id
  WHERE t.user_id = ${userId} AND t.type = ANY (${Object.keys(rowEvents)}) AND NOT t.unannounced`

/** Entries keep the email of a closed account. Its own acts have the name that is left of it. */
const fromEntries = (userId: string) => sql`
  SELECT e.nonce AS id, e.created_at, e.actor_id, CASE e.actor_id WHEN owner.id THEN owner.username ELSE e.actor END AS actor,
    e.action, e.subject_type, e.subject_id, e.owner_id, e.source, e.before, e.after, e.reason
  FROM audit_entries AS e JOIN users AS owner ON owner.id = e.owner_id WHERE e.owner_id = ${userId}`

/** Lists what happened to a user, as far as the reader may see it. */
export const listTimeline = (
  db: Kysely<Schema>,
  { reader, userId, request, lagging }: Question,
) => {
  const events = sql<TimelineEvent>`(${fromRows(userId)} UNION ALL ${fromEntries(userId)})`
  return list({
    db,
    lagging: laggingFor(lagging, request),
    request,
    table: 'events',
    sorts: { createdAt: { by: sql`events.created_at`, type: 'timestamptz' } },
    matching: db
      .selectFrom(events.as('events'))
      .where(
        given(
          readsAccounts(reader) ? undefined : ACCOUNTS,
          (subject) => sql`events.subject_type <> ${subject}`,
        ),
      )
      .where(
        given(
          request.by,
          () => sql`(events.actor_id <> events.owner_id OR events.source = ${FROM_OPERATOR})`,
        ),
      )
      .where(
        given(
          request.search?.toLowerCase(),
          (text) => sql`(starts_with(lower(events.actor), ${text}) OR events.subject_id = ${text})`,
        ),
      ),
    tally: undefined,
    present: (found) => found.selectAll(),
    onTheWire,
  })
}

const onTheWire = (row: TimelineEvent): TimelineRow => ({
  ...eventOnTheWire<TimelineRow['action']>(row),
  id: row.id,
})
