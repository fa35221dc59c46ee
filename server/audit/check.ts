import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { auditHead, type Head } from './seal.ts'

/** What is wrong with the audit trail, in a sentence, and where. */
export type Break = {
  readonly what:
    | 'entryChanged'
    | 'entryDeleted'
    | 'entryInserted'
    | 'neverSealed'
    | 'sealChanged'
    | 'sealRemoved'
    | 'cutOff'
    | 'notOnRecord'
  readonly sentence: string
}

export type AuditCheck = { readonly entries: bigint; readonly head: Head | undefined; readonly firstBreak?: Break }

/**
 * Recomputes the hash chain over the audit trail, looks for entries that are not in it, and for decisions that are not on record.
 * `known`, a head that was logged earlier, must still be in the chain: so the end cannot have been cut off since.
 */
export const checkAudit = async (db: Kysely<Schema>, known?: Head): Promise<AuditCheck> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      // A long trail takes longer than a request ever should.
      await sql`SET LOCAL statement_timeout = 0`.execute(snapshot)
      const counted = await sql<{ entries: bigint }>`SELECT count(*) AS entries FROM audit_entries`.execute(snapshot)
      const head = await auditHead(snapshot)
      const firstBreak =
        (await brokenLink(snapshot)) ??
        (await cutOff(snapshot, known)) ??
        (await outsideTheChain(snapshot)) ??
        (await decisionNotOnRecord(snapshot))
      return { entries: counted.rows[0]?.entries ?? 0n, head, ...(firstBreak && { firstBreak }) }
    })

type Link = {
  readonly position: bigint
  readonly follows: bigint
  readonly entryId: bigint
  readonly exists: boolean
  /** Whether the link after it holds with the hash as it is stored, and with the hash that the entry as it is now would have. */
  readonly nextHolds: boolean | null
  readonly nextWouldHold: boolean | null
}

// Each link is computed from the stored hash before it: when all hold, the chain does.
const brokenLink = async (db: Kysely<Schema>): Promise<Break | undefined> => {
  const { rows } = await sql<Link>`
    WITH link AS (
      SELECT s.position, s.entry_id, s.hash, e.id IS NOT NULL AS exists, lag(s.position, 1, 0::bigint) OVER w AS follows,
        audit_hash(lag(s.hash, 1, ''::bytea) OVER w, e) AS computed
      FROM audit_seals AS s LEFT JOIN audit_entries AS e ON e.id = s.entry_id
      WINDOW w AS (ORDER BY s.position)
    ), broken AS (
      SELECT * FROM link WHERE position <> follows + 1 OR NOT exists OR hash IS DISTINCT FROM computed ORDER BY position LIMIT 1
    )
    SELECT b.position, b.follows, b.entry_id AS "entryId", b.exists, n.hash = audit_hash(b.hash, e) AS "nextHolds",
      n.hash = audit_hash(b.computed, e) AS "nextWouldHold"
    FROM broken AS b LEFT JOIN audit_seals AS n ON n.position = b.position + 1 LEFT JOIN audit_entries AS e ON e.id = n.entry_id`.execute(
    db,
  )
  const [link] = rows
  return link && whatBroke(link)
}

const whatBroke = ({ position, follows, entryId, exists, nextHolds, nextWouldHold }: Link): Break => {
  if (position !== follows + 1n)
    return { what: 'sealRemoved', sentence: `Seal ${follows + 1n} was removed: seal ${position} comes after seal ${follows}.` }
  if (!exists) return { what: 'entryDeleted', sentence: `Entry ${entryId} was deleted: seal ${position} is there, the entry is not.` }
  if (nextWouldHold === true) return { what: 'sealChanged', sentence: `Seal ${position}, of entry ${entryId}, was changed.` }
  const certain = nextHolds === true
  return {
    what: 'entryChanged',
    sentence: `Entry ${entryId}${certain ? '' : ', or its seal,'} was changed: it is not what was sealed at ${position}.`,
  }
}

const cutOff = async (db: Kysely<Schema>, known: Head | undefined): Promise<Break | undefined> => {
  if (!known) return undefined
  const { rows } = await sql<{
    hash: string
  }>`SELECT encode(hash, 'hex') AS hash FROM audit_seals WHERE position = ${known.position}`.execute(db)
  if (rows[0]?.hash === known.hash) return undefined
  return { what: 'cutOff', sentence: `The chain is not the one whose head was known: at ${known.position} it does not have that hash.` }
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
  if (row.kind === 'gone') return { what: 'entryDeleted', sentence: `Entry ${row.id} was deleted before it was sealed.` }
  if (row.kind === 'inserted')
    return {
      what: 'entryInserted',
      sentence: `Entry ${row.id} has no seal and waits for none: it was inserted past the product, or its seal was removed.`,
    }
  return { what: 'neverSealed', sentence: `Entry ${row.id} has waited for its seal for more than a minute.` }
}

const decisionNotOnRecord = async (db: Kysely<Schema>): Promise<Break | undefined> => {
  const { rows } = await sql<{ id: string; status: string }>`
    SELECT t.id, t.status FROM transactions AS t
    WHERE t.type IN ('deposit', 'withdrawal') AND t.status <> 'PENDING'
      AND NOT EXISTS (
        SELECT FROM audit_entries AS e
        WHERE e.subject_id = t.id::text AND e.after ->> 'status' = t.status AND e.actor_id IS NOT DISTINCT FROM t.decided_by)
    ORDER BY t.updated_at LIMIT 1`.execute(db)
  const [row] = rows
  return row && { what: 'notOnRecord', sentence: `Transaction ${row.id} is ${row.status}, but no entry says who decided that.` }
}
