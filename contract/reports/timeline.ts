/** One list of what a person did and met: requests, investments and entries. */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { listQuery, mayLag } from '../base/lists.ts'
import type { Tone } from '../base/tones.ts'
import { auditActionNames, auditEntrySchema } from './audit.ts'

/** Events that leave a transaction and no entry of the audit trail, by the transaction's type. */
export const rowEvents = {
  deposit: { event: 'deposit.asked', tone: 'grey' },
  withdrawal: { event: 'withdrawal.asked', tone: 'amber' },
  investment: { event: 'investment.opened', tone: 'purple' },
  payout: { event: 'investment.matured', tone: 'green' },
  loss: { event: 'loss.borne', tone: 'red' },
  recovery: { event: 'loss.returned', tone: 'green' },
} as const satisfies Readonly<Record<string, { readonly event: string; readonly tone: Tone }>>
export type RowEvent = (typeof rowEvents)[keyof typeof rowEvents]['event']
const rowEventNames = Object.values(rowEvents).map(({ event }) => event) as [
  RowEvent,
  ...RowEvent[],
]

const lists = { sorts: ['createdAt'], filters: { by: ['staff'] } } as const

const timelineSchema = auditEntrySchema
  .omit({ id: true, action: true, position: true, hash: true })
  .extend({
    /** The id of the transaction, or the nonce of the entry. */
    id: idSchema,
    action: z.enum([...auditActionNames, ...rowEventNames]),
  })
export type TimelineRow = z.infer<typeof timelineSchema>

/** `search` finds the start of the actor's email, or the id of a subject. */
export const readTimeline = {
  method: 'GET',
  path: '/api/v1/admin/users/{id}/timeline',
  access: 'staff',
  summary:
    'What happened to a user, newest first: requests, investments, decisions, and what the user, staff and the operator did. Only super admins and auditors get entries about accounts, such as sign-ins and roles',
  params: z.object({ id: idSchema }),
  query: listQuery(lists)
    .extend({ mayLag })
    .describe('`by=staff` leaves what staff and the operator did.'),
  paged: lists,
  lags: true,
  body: z.array(timelineSchema),
} as const satisfies Endpoint
