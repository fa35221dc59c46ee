/** Records about loans and borrowers that no signed entries explain (docs/threats.md T80). */
import { type RawBuilder, sql } from 'kysely'

const actionsOf = (actions: readonly string[]) => sql.join(actions.map((action) => sql.lit(action)))

type Noun = {
  /** The word in a sentence, which is also the key of the row's id in entries. */
  readonly word: 'collateral' | 'document' | 'update'
  readonly table: string
  readonly added: readonly string[]
  readonly withdrawn: readonly string[]
  /** The row as a list of texts, and the same of `e.after`. The author comes first. */
  readonly columns: RawBuilder<unknown>
  readonly facts: RawBuilder<unknown>
}

const NOUNS: readonly Noun[] = [
  {
    word: 'collateral',
    table: 'loan_collateral',
    added: ['loan.collateralAdded'],
    withdrawn: ['loan.collateralWithdrawn'],
    columns: sql`recorded_by, loan_id::text, description, value::numeric, valued_on::text`,
    facts: sql`e.actor_id, e.subject_id, e.after ->> 'description', (e.after ->> 'value')::numeric * 100, e.after ->> 'valuedOn'`,
  },
  {
    word: 'document',
    table: 'loan_documents',
    added: ['loan.documentAdded', 'borrower.documentAdded'],
    withdrawn: ['loan.documentWithdrawn', 'borrower.documentWithdrawn'],
    columns: sql`recorded_by, coalesce(loan_id, borrower_id)::text, loan_id IS NULL, title, sha256, link`,
    facts: sql`e.actor_id, e.subject_id, e.subject_type = 'borrower', e.after ->> 'title', e.after ->> 'sha256', e.after ->> 'link'`,
  },
  {
    word: 'update',
    table: 'loan_updates',
    added: ['loan.updated'],
    withdrawn: [],
    columns: sql`written_by, loan_id::text, text`,
    facts: sql`e.actor_id, e.subject_id, e.after ->> 'text'`,
  },
]

const sentence = (text: string) => sql.lit(text)

/** Sets are compared, so that many rows take no look-up each. */
const recorded = ({ word, table, added, columns, facts }: Noun) => sql`
  SELECT format(${sentence(`The ${word} %s is not on record.`)}, x.id)
  FROM (
    SELECT id::text, ${columns} FROM ${sql.table(table)}
    EXCEPT SELECT e.after ->> ${sql.lit(word)}, ${facts} FROM audit_entries AS e WHERE e.action IN (${actionsOf(added)})
  ) AS x
  UNION ALL
  SELECT format(${sentence(`The ${word} %s is missing, but an entry adds it.`)}, x.id)
  FROM (
    SELECT e.after ->> ${sql.lit(word)} AS id FROM audit_entries AS e WHERE e.action IN (${actionsOf(added)})
    EXCEPT SELECT id::text FROM ${sql.table(table)}
  ) AS x`

const ended = ({ word, table, withdrawn }: Noun) => sql`
  SELECT format(${sentence(`The ${word} %s was withdrawn, but no entry tells why.`)}, x.id)
  FROM (
    SELECT id::text, withdrawn_by, withdrawn_for FROM ${sql.table(table)} WHERE withdrawn_at IS NOT NULL
    EXCEPT SELECT e.before ->> ${sql.lit(word)}, e.actor_id, e.reason FROM audit_entries AS e WHERE e.action IN (${actionsOf(withdrawn)})
  ) AS x
  UNION ALL
  SELECT format(${sentence(`The ${word} %s counts, but an entry withdraws it.`)}, x.id)
  FROM (
    SELECT id::text FROM ${sql.table(table)} WHERE withdrawn_at IS NULL
    INTERSECT SELECT e.before ->> ${sql.lit(word)} FROM audit_entries AS e WHERE e.action IN (${actionsOf(withdrawn)})
  ) AS x`

const GRADES = sql`
  SELECT format('The grade %s of borrower %s is not on record.', x.grade, x.borrower)
  FROM (
    SELECT borrower_id::text AS borrower, graded_by, grade, reason FROM borrower_grades
    EXCEPT SELECT e.subject_id, e.actor_id, e.after ->> 'grade', coalesce(e.after ->> 'gradeReason', e.reason)
    FROM audit_entries AS e WHERE e.action IN ('borrower.recorded', 'borrower.corrected')
  ) AS x
  UNION ALL
  SELECT format('Borrower %s has the grade %s, but not as the newest one of the history.', b.id, b.grade)
  FROM borrowers AS b LEFT JOIN LATERAL (
    SELECT grade, reason FROM borrower_grades WHERE borrower_id = b.id ORDER BY number DESC LIMIT 1
  ) AS g ON true WHERE (g.grade, g.reason) IS DISTINCT FROM (b.grade, b.grade_reason)`

/** Lines of interest alone leave every sum of principal as it was, so that lines are counted. */
const INSTALMENTS = sql`
  SELECT format('The schedule of loan %s from line %s has %s lines, not %s.', s.loan_id, s.first_number, s.found, s.instalments)
  FROM (
    SELECT t.*, (
      SELECT count(*) FROM loan_instalments AS i
      WHERE i.loan_id = t.loan_id AND i.number >= t.first_number AND (t.next_number IS NULL OR i.number < t.next_number)) AS found
    FROM (
      SELECT *, lead(first_number) OVER (PARTITION BY loan_id ORDER BY first_number) AS next_number
      FROM (
        SELECT d.loan_id, 1 AS first_number, l.instalments FROM loan_disbursements AS d JOIN loans AS l ON l.id = d.loan_id
        UNION ALL SELECT loan_id, first_number, instalments FROM loan_restructurings
      ) AS schedules
    ) AS t
  ) AS s WHERE s.found <> s.instalments
  UNION ALL
  SELECT format('Loan %s has lines of a schedule, but was not disbursed.', x.loan_id)
  FROM (SELECT loan_id FROM loan_instalments EXCEPT SELECT loan_id FROM loan_disbursements) AS x`

/** A sentence for each row that SQL wrote past the product, or took away. */
export const LOAN_RECORDS = sql.join(
  [
    ...NOUNS.map(recorded),
    ...NOUNS.filter(({ withdrawn }) => withdrawn.length > 0).map(ended),
    GRADES,
    INSTALMENTS,
  ],
  sql` UNION ALL `,
)
