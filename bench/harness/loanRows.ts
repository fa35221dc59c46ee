import type { Pool } from 'pg'
import { idOf, STAFF } from './people.ts'

const TABLES = ['borrowers', 'loans', 'loan_disbursements', 'loan_instalments']
const INSTALMENTS = 12
const PER_BORROWER = 10

/**
 * Adds active loans of weekly instalments in all stages until there are `count`. Of each third one
 * all that was due is unpaid. Their triggers want proposals, so these are off meanwhile.
 */
export const growLoansTo = async (pool: Pool, count: number): Promise<void> => {
  const client = await pool.connect()
  await client.query('BEGIN; SET LOCAL statement_timeout = 0')
  for (const table of TABLES) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`)
  await client.query(
    `WITH owing AS (
       INSERT INTO borrowers (id, name, country, kind, relation, grade, grade_reason, recorded_by)
       SELECT gen_random_uuid(), 'Borrower ' || n, 'DE', 'person', 'none', 'B', 'bench', $2
       FROM generate_series(1, ceil(($1 - (SELECT count(*) FROM loans))::numeric / $4)) AS n RETURNING id, recorded_by
     ), lent AS (
       INSERT INTO loans (id, borrower_id, purpose, principal, rate_basis_points, schedule, period, day_count, instalments,
         due_day, disburse_on, first_due_on, status, outstanding, recorded_by)
       SELECT gen_random_uuid(), o.id, 'business', 120000, 1200, 'equalPrincipal', 'weekly', 'act365', $3, 1,
         current_date - 97 + age, current_date - 90 + age, 'ACTIVE', 120000, o.recorded_by
       FROM owing AS o CROSS JOIN generate_series(1, $4) CROSS JOIN LATERAL (
         SELECT floor(random() * 90)::int + 0 * hashtext(o.id::text) AS age) AS a
       RETURNING id, disburse_on, first_due_on, principal
     ), disbursed AS (
       INSERT INTO loan_disbursements (id, loan_id, principal, disbursed_on, network_name, evidence, capital)
       SELECT id, id, principal, disburse_on, 'Bitcoin', id::text, principal FROM lent
     )
     INSERT INTO loan_instalments (loan_id, number, due_on, principal, interest, principal_paid, interest_paid)
     SELECT id, n, due_on, 10000, 300, CASE WHEN paid THEN 10000 ELSE 0 END, CASE WHEN paid THEN 300 ELSE 0 END
     FROM (SELECT *, random() < 0.67 AS pays FROM lent) AS l CROSS JOIN generate_series(1, $3) AS n
       CROSS JOIN LATERAL (SELECT first_due_on + 7 * (n - 1) AS due_on) AS line
       CROSS JOIN LATERAL (SELECT pays AND due_on < current_date AS paid) AS p`,
    [count, idOf(STAFF), INSTALMENTS, PER_BORROWER],
  )
  for (const table of TABLES) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ALL`)
  await client.query('COMMIT; SET statement_timeout = 0')
  await client.query(`VACUUM ANALYZE ${TABLES.join(', ')}, loan_moves`)
  client.release(true)
}
