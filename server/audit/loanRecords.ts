/** Records about loans and borrowers that no signed entries explain (docs/threats.md T80). */
import { sql } from 'kysely'

/** An entry that adds a row, and one that withdraws it, by the same person as the row says. */
const added = (action: string, key: string) => sql`
  SELECT FROM audit_entries AS e WHERE e.action = ${sql.lit(action)} AND e.after ->> ${sql.lit(key)} = x.id::text`
const withdrawn = (action: string, key: string) => sql`
  SELECT FROM audit_entries AS e WHERE e.action = ${sql.lit(action)} AND e.before ->> ${sql.lit(key)} = x.id::text
    AND e.actor_id = x.withdrawn_by AND e.reason = x.withdrawn_for`

/** Rows of an entry that are gone, or that it withdrew and that count. */
const missing = (word: string, key: string, table: string, actions: readonly string[]) => sql`
  SELECT format(${sql.lit(`The ${word} %s is missing, but an entry adds it.`)}, e.after ->> ${sql.lit(key)})
  FROM audit_entries AS e WHERE e.action IN (${sql.join(actions.map((action) => sql.lit(action)))})
    AND NOT EXISTS (SELECT FROM ${sql.table(table)} AS x WHERE x.id::text = e.after ->> ${sql.lit(key)})`
const counting = (word: string, key: string, table: string, actions: readonly string[]) => sql`
  SELECT format(${sql.lit(`The ${word} %s counts, but an entry withdraws it.`)}, e.before ->> ${sql.lit(key)})
  FROM audit_entries AS e JOIN ${sql.table(table)} AS x ON x.id::text = e.before ->> ${sql.lit(key)}
  WHERE e.action IN (${sql.join(actions.map((action) => sql.lit(action)))}) AND x.withdrawn_at IS NULL`

const DOCUMENT_ADDED = ['loan.documentAdded', 'borrower.documentAdded'] as const
const DOCUMENT_WITHDRAWN = ['loan.documentWithdrawn', 'borrower.documentWithdrawn'] as const

/** A sentence for each row that SQL wrote past the product, or took away. */
export const LOAN_RECORDS = sql`
  SELECT format('The collateral %s of loan %s is not on record.', x.id, x.loan_id)
  FROM loan_collateral AS x WHERE NOT EXISTS (
    ${added('loan.collateralAdded', 'collateral')} AND e.subject_id = x.loan_id::text AND e.actor_id = x.recorded_by
      AND (e.after ->> 'description', (e.after ->> 'value')::numeric * 100, e.after ->> 'valuedOn') = (x.description, x.value, x.valued_on::text))
  UNION ALL
  SELECT format('The collateral %s was withdrawn, but no entry tells why.', x.id)
  FROM loan_collateral AS x WHERE x.withdrawn_at IS NOT NULL AND NOT EXISTS (${withdrawn('loan.collateralWithdrawn', 'collateral')})
  UNION ALL
  SELECT format('The document %s is not on record.', x.id)
  FROM loan_documents AS x WHERE NOT EXISTS (${added('loan.documentAdded', 'document')} AND e.subject_id = x.loan_id::text
      AND e.actor_id = x.recorded_by AND (e.after ->> 'title', e.after ->> 'sha256', e.after ->> 'link') = (x.title, x.sha256, x.link))
    AND NOT EXISTS (${added('borrower.documentAdded', 'document')} AND e.subject_id = x.borrower_id::text
      AND e.actor_id = x.recorded_by AND (e.after ->> 'title', e.after ->> 'sha256', e.after ->> 'link') = (x.title, x.sha256, x.link))
  UNION ALL
  SELECT format('The document %s was withdrawn, but no entry tells why.', x.id)
  FROM loan_documents AS x WHERE x.withdrawn_at IS NOT NULL
    AND NOT EXISTS (${withdrawn('loan.documentWithdrawn', 'document')}) AND NOT EXISTS (${withdrawn('borrower.documentWithdrawn', 'document')})
  UNION ALL
  SELECT format('The update %s of loan %s is not on record.', x.id, x.loan_id)
  FROM loan_updates AS x WHERE NOT EXISTS (
    ${added('loan.updated', 'update')} AND e.subject_id = x.loan_id::text AND e.actor_id = x.written_by AND e.after ->> 'text' = x.text)
  UNION ALL
  ${sql.join(
    [
      missing('collateral', 'collateral', 'loan_collateral', ['loan.collateralAdded']),
      missing('document', 'document', 'loan_documents', DOCUMENT_ADDED),
      missing('update', 'update', 'loan_updates', ['loan.updated']),
      counting('collateral', 'collateral', 'loan_collateral', ['loan.collateralWithdrawn']),
      counting('document', 'document', 'loan_documents', DOCUMENT_WITHDRAWN),
    ],
    sql` UNION ALL `,
  )}
  UNION ALL
  SELECT format('The grade %s of borrower %s of %s is not on record.', x.grade, x.borrower_id, x.graded_at)
  FROM borrower_grades AS x WHERE NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action IN ('borrower.recorded', 'borrower.corrected') AND e.subject_id = x.borrower_id::text
      AND e.actor_id = x.graded_by AND (e.after ->> 'grade', coalesce(e.after ->> 'gradeReason', e.reason)) = (x.grade, x.reason))
  UNION ALL
  SELECT format('Borrower %s has the grade %s, but not as the newest one of the history.', b.id, b.grade)
  FROM borrowers AS b LEFT JOIN LATERAL (
    SELECT grade, reason FROM borrower_grades WHERE borrower_id = b.id ORDER BY number DESC LIMIT 1
  ) AS g ON true WHERE (g.grade, g.reason) IS DISTINCT FROM (b.grade, b.grade_reason)`
