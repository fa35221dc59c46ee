import type { AuditAction, SubjectOf } from '@pool/contract/audit'
import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Author } from '../sessions/author.ts'
import { mayAct } from '../sessions/sessions.ts'

/** The source of what the operator does on the machine itself. */
export const FROM_OPERATOR = 'operator'

/** The product's own background work. */
export const SYSTEM: Author = { name: 'system', from: 'job' }

/** An action and what it is about. */
type Happened = {
  [Action in AuditAction]: { readonly action: Action; readonly subject: { readonly type: SubjectOf<Action>; readonly id: string } }
}[AuditAction]

export type Entry = Happened & {
  readonly by: Author
  /** The person whom it concerns. */
  readonly ownerId?: string | undefined
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly reason?: string
}

/**
 * Puts an act on record, inside the transaction that carries it out. Looks there once more at the sessions of its authors, and keeps them from
 * ending before the commit. Throws `unauthenticated` when one has ended. `post_operations` does the same for decisions about money.
 */
export const record = async (transaction: Kysely<Schema>, ...entries: readonly Entry[]): Promise<void> => {
  for (const { by } of entries) if (by.session !== undefined && !(await mayAct(transaction, by.session))) throw refusal('unauthenticated')
  const rows = entries.map(({ by, action, subject, ownerId, before, after, reason }) => ({
    actor_id: by.id,
    actor: by.name,
    action,
    subject_type: subject.type,
    subject_id: subject.id,
    owner_id: ownerId,
    source: by.from,
    before,
    after,
    reason,
  }))
  await sql`
    INSERT INTO audit_entries (actor_id, actor, action, subject_type, subject_id, owner_id, source, before, after, reason)
    SELECT actor_id, actor, action, subject_type, subject_id, owner_id, source, before, after, reason
    FROM jsonb_populate_recordset(NULL::audit_entries, ${JSON.stringify(rows)}::jsonb)`.execute(transaction)
}
