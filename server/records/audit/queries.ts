import { type Role, roleFrom } from '@pool/contract/accounts/users'
import type { ProposalKind } from '@pool/contract/agreements/proposals'
import { idSchema } from '@pool/contract/base/endpoint'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import {
  ACCOUNTS,
  type AuditAction,
  type AuditEntry,
  agreementsFor,
  auditActionNames,
  auditActionsFor,
  type listAudit as endpoint,
  readsAccounts,
} from '@pool/contract/reports/audit'
import type { AuditSubject } from '@pool/contract/reports/auditSubjects'
import { type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { LaggingReads } from '../../base/db/replica.ts'
import type { Schema } from '../../base/db/schema.ts'
import { laggingFor } from '../../base/lists/lagging.ts'
import { given, isOneOf, list } from '../../base/lists/list.ts'
import type { Session } from '../../base/sessions/sessions.ts'

type Question = {
  readonly reader: Role
  readonly request: z.infer<typeof endpoint.query>
  readonly lagging?: LaggingReads | undefined
}

/** The reader of the trail in a session. */
export const readerOfTrail = ({ roles }: Pick<Session, 'roles'>): Role =>
  roleFrom(roles.map((type) => ({ type })))

/** Lists the entries that the reader may see. Filters, searches and counts see no others. */
export const listAudit = (db: Kysely<Schema>, { reader, request, lagging }: Question) => {
  const readable = readsAccounts(reader) ? undefined : auditActionsFor(reader)
  const actions = readable
    ? (request.action ?? readable).filter((action) => readable.includes(action))
    : request.action
  return list({
    db,
    lagging: laggingFor(lagging, request),
    request,
    table: 'audit_entries',
    idType: 'bigint',
    sorts: { createdAt: { by: sql`audit_entries.created_at`, type: 'timestamptz' } },
    matching: db
      .selectFrom('audit_entries')
      .where(given(readable, () => sql`audit_entries.subject_type <> ${sql.lit(ACCOUNTS)}`))
      .where(given(request.action && actions, (named) => isOneOf('audit_entries.action', named)))
      .where(given(request.agreement, (kinds) => sql`${isAgreement} AND ${isOneOfKinds(kinds)}`))
      .where(given(request.search, (search) => sql`audit_entries.id IN (${found(search)})`)),
    tally:
      request.search === undefined
        ? { noun: 'audit', kinds: talliedAs(reader, actions, request.agreement) }
        : undefined,
    present: withSeals,
    onTheWire,
  })
}

const isAgreement = sql`audit_entries.action LIKE 'agreement.%'`
const isOneOfKinds = (kinds: readonly string[]) =>
  sql`audit_entries.after ->> 'kind' = ANY (${kinds})`

/** The tallies of actions. Those of agreements are by their kinds, too. */
const talliedAs = (
  reader: Role,
  actions: readonly AuditAction[] | undefined,
  agreements: readonly ProposalKind[] | undefined,
): readonly string[] | undefined => {
  if (!actions && !agreements) return undefined
  const kinds = agreementsFor(reader).filter((kind) => agreements?.includes(kind) ?? true)
  return (actions ?? auditActionNames).flatMap((action) => {
    if (action.startsWith('agreement.')) return kinds.map((kind) => `${action} ${kind}`)
    return agreements ? [] : [action]
  })
}

// Searches actors and users concerned by email or id, subjects by id. Each part has an index.
const found = (search: string): RawBuilder<unknown> => {
  const text = search.toLowerCase()
  const users = sql`SELECT id FROM users WHERE username = ${text} ${orItsId(search)}`
  return sql`
    SELECT id FROM audit_entries WHERE lower(actor) LIKE ${`${text.replace(/[\\%_]/g, '\\$&')}%`}
    UNION SELECT id FROM audit_entries WHERE lower(actor) IN (SELECT username FROM users WHERE id IN (${users}))
    UNION SELECT id FROM audit_entries WHERE owner_id IN (${users})
    UNION SELECT id FROM audit_entries WHERE subject_id = ${text}`
}

const orItsId = (search: string): RawBuilder<unknown> =>
  idSchema.safeParse(search).success ? sql`UNION SELECT ${search}::uuid` : sql``

const withSeals = (entries: SelectQueryBuilder<Schema, 'audit_entries', object>) =>
  entries
    .leftJoin('audit_seals', 'audit_seals.entry_id', 'audit_entries.id')
    .selectAll('audit_entries')
    .select([
      'audit_seals.position',
      sql<string | null>`encode(audit_seals.hash, 'hex')`.as('hash'),
    ])

type AuditRow = Selectable<Schema['audit_entries']> & {
  position: bigint | null
  hash: string | null
}

/** A row of the trail or of a timeline, without what it is found by. */
export type EventRow = Omit<AuditRow, 'id' | 'nonce' | 'mac' | 'position' | 'hash'>

/**
 * The parts that the trail and a timeline share. `record` and the ledger write only these actions
 * and subjects, and the contract checks the response.
 */
export const eventOnTheWire = <Action extends string>(row: EventRow) => ({
  at: timestampFromDate(row.created_at),
  actorId: row.actor_id,
  actor: row.actor,
  action: row.action as Action,
  subjectType: row.subject_type as AuditSubject,
  subjectId: row.subject_id,
  ownerId: row.owner_id,
  source: row.source,
  before: row.before,
  after: row.after,
  reason: row.reason,
})

const onTheWire = (row: AuditRow): AuditEntry => ({
  ...eventOnTheWire<AuditAction>(row),
  id: Number(row.id),
  position: row.position === null ? null : Number(row.position),
  hash: row.hash,
})
