import { typesWith } from '@pool/contract/requests/transactions'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { type Keys, keyIdOf, type Mark } from '../../base/keys/keys.ts'
import type { WithDb, WithKeys } from '../../http/context.ts'
import { selectContributions } from '../../ledger/families/capital.ts'
import { type EntryRow, verdictOn } from './entry.ts'
import { auditHead, type Head, sealOf } from './seal.ts'

/** The first fault of the audit trail, with its place, as a sentence. */
export type Break = {
  readonly what:
    | 'entryChanged'
    | 'entryDeleted'
    | 'entryInserted'
    | 'entryCopied'
    | 'notSigned'
    | 'unknownKey'
    | 'leakedKey'
    | 'neverSealed'
    | 'sealChanged'
    | 'sealRemoved'
    | 'cutOff'
    | 'notOnRecord'
  readonly sentence: string
}

export type AuditCheck = {
  readonly entries: bigint
  readonly head: Head | undefined
  readonly firstBreak?: Break
}

/**
 * Recomputes the chain. Looks for unsigned entries, entries outside it, and decisions without one.
 * `known` are heads logged earlier, which a replaced chain lacks.
 */
export const checkAudit = async (
  { db, keys }: WithDb & WithKeys,
  ...known: readonly Head[]
): Promise<AuditCheck> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      // A long trail takes longer than a request may.
      await sql`SET LOCAL statement_timeout = 0`.execute(snapshot)
      const counted = await sql<{
        entries: bigint
      }>`SELECT count(*) AS entries FROM audit_entries`.execute(snapshot)
      const head = await auditHead(snapshot)
      const firstBreak =
        (await brokenLink(snapshot, keys)) ??
        (await cutOff(snapshot, keys, known)) ??
        (await waitingNotSigned(snapshot, keys)) ??
        (await copied(snapshot)) ??
        (await outsideTheChain(snapshot)) ??
        (await notOnRecord(snapshot))
      const { entries = 0n } = counted.rows[0] ?? {}
      return { entries, head, ...(firstBreak && { firstBreak }) }
    })

/** A seal and its entry, unless that was deleted. */
type Link = EntryRow & {
  readonly position: bigint
  readonly entryId: bigint
  readonly hash: string
  readonly keyId: string
  readonly id: bigint | null
  readonly content: string
}

/** Seals read at once. */
const PAGE = 2_000

const links = async function* (db: Kysely<Schema>): AsyncGenerator<Link, void> {
  for (let after = 0n; ; ) {
    const { rows } = await sql<Link>`
      SELECT e.*, s.position, s.entry_id AS "entryId", encode(s.hash, 'hex') AS hash, s.key_id AS "keyId", audit_content(e) AS content
      FROM audit_seals AS s LEFT JOIN audit_entries AS e ON e.id = s.entry_id
      WHERE s.position > ${after} ORDER BY s.position LIMIT ${PAGE}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (rows.length < PAGE || !last) return
    after = last.position
  }
}

/** The hash that a seal must have after `previous`. Undefined without its key. */
const computed = (keys: Keys, { keyId, content }: Link, previous: string): string | undefined =>
  keys.ids.includes(keyId) ? sealOf(keys, { previous, content }, keyId).hash : undefined

const brokenLink = async (db: Kysely<Schema>, keys: Keys): Promise<Break | undefined> => {
  const chain = links(db)
  let before: Pick<Link, 'position' | 'hash'> = { position: 0n, hash: '' }
  for await (const link of chain) {
    const hash = computed(keys, link, before.hash)
    const broken =
      misplaced(link, before) ??
      (hash === link.hash
        ? (sealedLate(keys, link) ?? notSigned(keys, link, link.position))
        : undefined)
    if (broken) return broken
    if (hash === undefined)
      return {
        what: 'unknownKey',
        sentence: `Seal ${link.position} was made with the key ${link.keyId}, which is not in the key file.`,
      }
    if (hash !== link.hash) {
      const { value: next } = await chain.next()
      return changed(keys, link, { hash, next: next ?? undefined })
    }
    before = link
  }
  return undefined
}

const misplaced = (
  { position, entryId, id }: Link,
  before: Pick<Link, 'position'>,
): Break | undefined => {
  const due = before.position + 1n
  if (position !== due)
    return {
      what: 'sealRemoved',
      sentence: `Seal ${due} was removed: seal ${position} comes after seal ${before.position}.`,
    }
  if (id === null)
    return {
      what: 'entryDeleted',
      sentence: `Entry ${entryId} was deleted: seal ${position} is there, the entry is not.`,
    }
  return undefined
}

/** A seal by a leaked key, after the last place where that key is believed. */
const sealedLate = (keys: Keys, { position, keyId }: Link): Break | undefined => {
  const mark = keys.leaked.get(keyId)
  if (!mark || position <= mark.position) return undefined
  return {
    what: 'leakedKey',
    sentence: `Seal ${position} was made with the leaked key ${keyId}, which is believed up to ${mark.position}.`,
  }
}

/** `position` is undefined for an entry that waits for its seal. */
const notSigned = (
  keys: Keys,
  { id, ...entry }: EntryRow & { readonly id: bigint | null },
  position?: bigint,
): Break | undefined => {
  const verdict = verdictOn(keys, entry)
  if (verdict === 'valid') return undefined
  const keyId = keyIdOf(entry.mac ?? '')
  const mark = keys.leaked.get(keyId)
  if (verdict === 'leaked' && mark) {
    if (position !== undefined && position <= mark.position) return undefined
    return {
      what: 'leakedKey',
      sentence: `Entry ${id}${position === undefined ? '' : ` at ${position}`} was signed with the leaked key ${keyId}, which is believed up to ${mark.position}.`,
    }
  }
  return verdict === 'unknownKey' && entry.mac
    ? {
        what: 'unknownKey',
        sentence: `Entry ${id} was signed with the key ${keyId}, which is not in the key file.`,
      }
    : {
        what: 'notSigned',
        sentence: `Entry ${id} was not signed by this product. It was inserted by hand, or changed.`,
      }
}

// The next seal decides: if it holds after the computed hash, the seal was changed. If it holds
// after the stored hash, the entry was changed.
const changed = (
  keys: Keys,
  { position, entryId, hash: stored }: Link,
  { hash, next }: { hash: string; next: Link | undefined },
): Break => {
  const holdsAfter = (previous: string) =>
    next !== undefined && computed(keys, next, previous) === next.hash
  if (holdsAfter(hash))
    return { what: 'sealChanged', sentence: `Seal ${position} of entry ${entryId} was changed.` }
  return {
    what: 'entryChanged',
    sentence: `Entry ${entryId}${holdsAfter(stored) ? '' : ', or its seal,'} was changed: it differs from what was sealed at ${position}.`,
  }
}

const waitingNotSigned = async (db: Kysely<Schema>, keys: Keys): Promise<Break | undefined> => {
  const { rows } = await sql<EntryRow & { id: bigint }>`
    SELECT e.* FROM audit_unsealed AS u JOIN audit_entries AS e ON e.id = u.entry_id ORDER BY e.id`.execute(
    db,
  )
  for (const entry of rows) {
    const found = notSigned(keys, entry)
    if (found) return found
  }
  return undefined
}

const copied = async (db: Kysely<Schema>): Promise<Break | undefined> => {
  const { rows } = await sql<{ id: bigint; original: bigint }>`
    SELECT max(id) AS id, min(id) AS original FROM audit_entries GROUP BY nonce HAVING count(*) > 1 ORDER BY 1 LIMIT 1`.execute(
    db,
  )
  const [row] = rows
  return (
    row && { what: 'entryCopied', sentence: `Entry ${row.id} is a copy of entry ${row.original}.` }
  )
}

/** A chain without a known head, or without the head that was stated when a key leaked. */
const cutOff = async (
  db: Kysely<Schema>,
  keys: Keys,
  known: readonly Head[],
): Promise<Break | undefined> => {
  const heads = [
    ...known.map((head) => ({ head, name: 'known hash' })),
    ...[...keys.leaked].map(([id, head]) => ({ head, name: `hash of the leaked key ${id}` })),
  ]
  for (const { head, name } of heads)
    if (!(await hasHead(db, head)))
      return {
        what: 'cutOff',
        sentence: `The chain does not have the ${name} at ${head.position}. It was cut off or replaced.`,
      }
  return undefined
}

const hasHead = async (db: Kysely<Schema>, { position, hash }: Mark): Promise<boolean> => {
  const { rows } = await sql<{
    hash: string
  }>`SELECT encode(hash, 'hex') AS hash FROM audit_seals WHERE position = ${position}`.execute(db)
  return rows[0]?.hash === hash
}

/** Entries after a place of the chain that a key signed or sealed. */
export const countLater = async (
  db: Kysely<Schema>,
  keyId: string,
  { position }: Mark,
): Promise<bigint> => {
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) AS count FROM audit_entries AS e LEFT JOIN audit_seals AS s ON s.entry_id = e.id
    WHERE (s.position IS NULL OR s.position > ${position}) AND (e.mac LIKE ${`${keyId}:%`} OR s.key_id = ${keyId})`.execute(
    db,
  )
  return rows[0]?.count ?? 0n
}

const outsideTheChain = async (db: Kysely<Schema>): Promise<Break | undefined> => {
  const { rows } = await sql<{ id: bigint; kind: 'inserted' | 'waiting' | 'gone' }>`
    SELECT coalesce(e.id, u.entry_id) AS id,
      CASE WHEN e.id IS NULL THEN 'gone' WHEN u.entry_id IS NULL THEN 'inserted' ELSE 'waiting' END AS kind
    FROM audit_entries AS e FULL JOIN audit_unsealed AS u ON u.entry_id = e.id
    WHERE NOT EXISTS (SELECT FROM audit_seals WHERE entry_id = e.id) AND (u.entry_id IS NULL OR e.id IS NULL OR e.created_at < now() - interval '1 minute')
    ORDER BY 1 LIMIT 1`.execute(db)
  const [row] = rows
  if (!row) return undefined
  if (row.kind === 'gone')
    return { what: 'entryDeleted', sentence: `Entry ${row.id} was deleted before it was sealed.` }
  if (row.kind === 'inserted')
    return {
      what: 'entryInserted',
      sentence: `Entry ${row.id} has no seal and does not wait for one. It was inserted by hand, or its seal was removed.`,
    }
  return {
    what: 'neverSealed',
    sentence: `Entry ${row.id} has waited for its seal for more than a minute.`,
  }
}

const notOnRecord = async (db: Kysely<Schema>): Promise<Break | undefined> => {
  const { rows } = await sql<{ sentence: string }>`
    SELECT format('Transaction %s is %s, but no entry names who decided.', t.id, t.status) AS sentence FROM transactions AS t
    WHERE t.type IN (${sql.join(typesWith({ decidedBy: 'staff' }).map((type) => sql.lit(type)))}) AND t.status <> 'PENDING'
      AND NOT EXISTS (
        SELECT FROM audit_entries AS e
        WHERE e.subject_id = t.id::text AND e.actor_id IS NOT DISTINCT FROM decider_of(t)
          AND e.after ->> 'status' = CASE WHEN is_approved(t.type, t.status) THEN 'APPROVED' ELSE t.status END
          AND (t.requested_amount IS NULL OR (e.before ->> 'amount')::numeric * 100 = t.requested_amount AND (e.after ->> 'amount')::numeric * 100 = t.amount))
    UNION ALL
    SELECT format('Withdrawal %s was marked as %s, but no entry names who did it.', t.id, marked.status)
    FROM transactions AS t CROSS JOIN LATERAL (VALUES (sent_by, sent_basis, 'PROCESSING'), (completed_by, completed_basis, 'COMPLETED')) AS marked (by, basis, status)
    WHERE num_nonnulls(marked.by, marked.basis) > 0 AND NOT EXISTS (
      SELECT FROM audit_entries AS e
      WHERE e.subject_id = t.id::text AND e.after ->> 'status' = marked.status AND e.actor_id IS NOT DISTINCT FROM marked.by
        AND (marked.basis IS NULL OR e.reason = marked.basis))
    UNION ALL
    SELECT format('Withdrawal %s was given back, but no entry says so.', t.id) FROM transactions AS t
    WHERE t.status = 'RETURNED' AND NOT EXISTS (
      SELECT FROM audit_entries AS e
      WHERE e.subject_id = t.id::text AND e.action = 'withdrawal.returned' AND e.reason = t.reason)
    UNION ALL
    SELECT format('An approval of transaction %s by user %s is not on record.', a.transaction_id, a.approved_by) FROM approvals AS a
    WHERE NOT EXISTS (
      SELECT FROM audit_entries AS e
      WHERE e.subject_id = a.transaction_id::text AND e.actor_id = a.approved_by AND e.after ->> 'status' IN ('PENDING', 'APPROVED'))
    UNION ALL
    SELECT format('Contribution %s is not on record.', c.id) FROM ${selectContributions} AS c
    WHERE NOT EXISTS (SELECT FROM audit_entries AS e WHERE e.subject_id = c.id::text AND e.action = 'capital.contributed')
    LIMIT 1`.execute(db)
  const [row] = rows
  return row && { what: 'notOnRecord', sentence: row.sentence }
}
