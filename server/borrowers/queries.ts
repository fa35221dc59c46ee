import { BORROWERS_SIZE, type Borrower } from '@pool/contract/borrowers'
import { cents, dollarsFromCents } from '@pool/contract/money'
import { timestampFromDate } from '@pool/contract/timestamp'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

type Row = Omit<Borrower, 'gradedAt' | 'outstanding'> & {
  readonly gradedAt: Date
  readonly outstanding: bigint
}

/** The borrowers by name, with what their loans owe. */
export const listBorrowers = async (db: Kysely<Schema>): Promise<Borrower[]> => {
  const { rows } = await sql<Row>`
    SELECT b.id, b.name, b.country, b.kind, b.relation, b.user_id AS "userId", u.username AS "userEmail", b.grade,
      b.grade_reason AS "gradeReason", coalesce(b.graded_at, b.created_at) AS "gradedAt",
      coalesce(l.outstanding, 0)::bigint AS outstanding, coalesce(l.loans, 0)::int AS loans
    FROM borrowers AS b LEFT JOIN users AS u ON u.id = b.user_id
    LEFT JOIN LATERAL (
      SELECT sum(outstanding) AS outstanding, count(*) AS loans FROM loans WHERE borrower_id = b.id
    ) AS l ON true
    ORDER BY b.name, b.id LIMIT ${BORROWERS_SIZE}`.execute(db)
  return rows.map(({ gradedAt, outstanding, ...borrower }) => ({
    ...borrower,
    gradedAt: timestampFromDate(gradedAt),
    outstanding: dollarsFromCents(cents(outstanding)),
  }))
}
