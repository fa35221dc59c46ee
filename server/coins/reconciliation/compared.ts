/** The digest of a comparison, which its entry has (docs/threats.md T106). */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { type OnRecord, record, SYSTEM } from '../../records/audit/record.ts'

const partOf = (table: string): string =>
  `(SELECT string_agg(p::text, E'\\n' ORDER BY p::text) FROM ${table} AS p WHERE p.reconciliation_id = r.id)`

/** SHA-256 of the row `reconciliations AS r` and of its parts, without its moment. */
const digestOf: RawBuilder<string> = sql.raw(`encode(sha256(convert_to(concat_ws(E'\\n',
  r.id, r.break_cents, r.is_unpriced, r.is_whole, r.limit_cents, r.is_pausing, r.custody_cents, r.typed_cents, r.coins_cents,
  ${['reconciled_networks', 'reconciled_coins', 'reconciled_lines'].map(partOf).join(',\n  ')}), 'UTF8')), 'hex')`)

/** Puts a written comparison on record. */
export const recordCompared = async ({ db, keys }: OnRecord, id: string): Promise<void> => {
  const { rows } = await sql<{ digest: string }>`
    SELECT ${digestOf} AS digest FROM reconciliations AS r WHERE r.id = ${id}`.execute(db)
  await record(db, keys, {
    by: SYSTEM,
    action: 'coins.compared',
    subject: { type: 'custody', id },
    after: { digest: rows[0]?.digest },
  })
}

/**
 * A sentence for each comparison that differs from its entry, that has none, or that is missing.
 * Ones before the first entry, and those of a node of the last release beside, have none.
 */
export const comparedFindings = async (db: Kysely<Schema>, most: number): Promise<string[]> => {
  const { rows } = await sql<{ sentence: string }>`
    WITH told AS MATERIALIZED (
      SELECT subject_id, after ->> 'digest' AS digest, created_at FROM audit_entries WHERE action = 'coins.compared')
    SELECT format('The comparison of coins %s, of %s, is not that of its entry.', r.id, r.at) AS sentence
    FROM reconciliations AS r LEFT JOIN told ON told.subject_id = r.id::text
    WHERE CASE WHEN told.digest IS NULL THEN r.at > (SELECT min(created_at) FROM told) + interval '1 day'
      ELSE told.digest <> ${digestOf} OR abs(extract(epoch FROM r.at - told.created_at)) > 600 END
    UNION ALL
    SELECT format('The comparison of coins %s is missing, but an entry tells of it.', told.subject_id)
    FROM told WHERE NOT EXISTS (SELECT FROM reconciliations AS r WHERE r.id::text = told.subject_id)
    LIMIT ${most}`.execute(db)
  return rows.map(({ sentence }) => sentence)
}
