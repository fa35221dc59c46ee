/** Audit entries and their signatures. A writer to the database without the key cannot make one. */
import type { AuditAction, SubjectOf } from '@pool/contract/reports/audit'
import { newId } from '../../base/db/ids.ts'
import type { Keys, Verdict } from '../../base/keys/keys.ts'
import type { Actor } from '../../base/sessions/actor.ts'

/** An action and its subject. */
type Happened = {
  [Action in AuditAction]: {
    readonly action: Action
    readonly subject: { readonly type: SubjectOf<Action>; readonly id: string }
  }
}[AuditAction]

type State = Readonly<Record<string, unknown>>

export type Entry = Happened & {
  readonly by: Actor
  /** The user concerned. */
  readonly ownerId?: string | undefined
  readonly before?: State
  readonly after?: State
  readonly reason?: string
}

/** An entry as columns of `audit_entries`. The database adds id and time. */
export type EntryRow = {
  readonly actor_id: string | null
  readonly actor: string
  readonly action: string
  readonly subject_type: string
  readonly subject_id: string
  readonly owner_id: string | null
  readonly source: string
  readonly before: State | null
  readonly after: State | null
  readonly reason: string | null
  /** Unique, so that a copy of an entry is noticed. */
  readonly nonce: string | null
  readonly mac: string | null
}

/** Signs an entry for one place on record. */
export const signEntry = (
  keys: Keys,
  { by, action, subject, ownerId, before, after, reason }: Entry,
): EntryRow => {
  const row = {
    actor_id: by.id ?? null,
    actor: by.name,
    action,
    subject_type: subject.type,
    subject_id: subject.id,
    owner_id: ownerId ?? null,
    source: by.from,
    before: before ?? null,
    after: after ?? null,
    reason: reason ?? null,
    nonce: newId(),
  }
  return { ...row, mac: keys.sign('audit entry', contentOf(row)) }
}

/** Verifies that the product wrote an entry. */
export const verdictOn = (keys: Keys, row: EntryRow): Verdict =>
  keys.verify('audit entry', contentOf(row), row.mac ?? '')

type First = Extract<AuditAction, `${string}.firstApproval`>
/** The action as which a first approval is signed. */
const lastApproval: Readonly<Record<First, AuditAction>> = {
  'deposit.firstApproval': 'deposit.confirmed',
  'withdrawal.firstApproval': 'withdrawal.approved',
}
const isFirst = (action: string): action is First => Object.hasOwn(lastApproval, action)

/**
 * The signed text. A decision is signed as a last approval, before posting knows. The seal alone
 * covers which one it was.
 */
const contentOf = (row: Omit<EntryRow, 'mac'>): string => {
  const last = isFirst(row.action) ? lastApproval[row.action] : undefined
  const after = last ? { ...row.after, status: 'APPROVED' } : row.after
  return JSON.stringify([
    row.nonce,
    row.actor_id,
    row.actor,
    last ?? row.action,
    row.subject_type,
    row.subject_id,
    row.owner_id,
    row.source,
    sorted(row.before ?? {}),
    sorted(after ?? {}),
    row.reason,
  ])
}

// The database stores the fields of a state in its own order.
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]))
}
