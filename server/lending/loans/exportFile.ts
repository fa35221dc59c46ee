/** Files of the loan book for other programs, of the columns that an import takes and more. */
import { type CsvColumn, csvHeading, csvLines } from '@pool/contract/base/csv'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import type { LoanFileKind } from '@pool/contract/lending/loanFiles'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { inPieces } from '../../base/process/pieces.ts'

type FileRow = Readonly<Record<string, string | number | bigint | boolean | null>>

const queries: Readonly<Record<LoanFileKind, RawBuilder<FileRow>>> = {
  borrowers: sql`
    SELECT b.id, b.name, b.country, b.kind, b.relation, u.username AS user_email, b.grade, b.grade_reason
    FROM borrowers AS b LEFT JOIN users AS u ON u.id = b.user_id ORDER BY b.name, b.id`,
  loans: sql`
    SELECT l.id, b.id AS borrower, b.name AS borrower_name, l.purpose, l.principal AS amount, l.rate_basis_points, l.schedule,
      l.period, l.day_count, l.instalments, l.due_day, coalesce(d.disbursed_on, l.disburse_on)::text AS disburse_on,
      l.first_due_on::text AS first_due_on, l.taken_over_on::text AS taken_over_on, l.status, l.outstanding, l.written_off, l.recovered,
      f.defaulted_on::text AS defaulted_on, f.reason AS default_reason, f.principal + f.interest AS exposure_at_default,
      l.refinances_id AS refinances, l.from_investors,
      (SELECT coalesce(sum(value), 0)::bigint FROM loan_collateral WHERE loan_id = l.id AND withdrawn_at IS NULL) AS collateral_value
    FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id LEFT JOIN loan_disbursements AS d ON d.loan_id = l.id
    LEFT JOIN loan_defaults AS f ON f.loan_id = l.id ORDER BY l.created_at, l.id`,
  repayments: sql`
    SELECT r.id, r.loan_id, r.principal + r.interest + r.recovered AS amount, r.value_on::text AS value_on, r.reference,
      r.principal, r.interest, r.recovered, r.reversed
    FROM loan_repayments AS r ORDER BY r.created_at, r.id`,
}

/** All rows of a kind as CSV. Amounts are dollars. */
export const exportLoanFile = async (
  db: Kysely<Schema>,
  kind: LoanFileKind,
): Promise<{ readonly csv: string }> => {
  const { rows, columns: names } = await db.transaction().execute(async (transaction) => {
    await sql`SET LOCAL statement_timeout = '1min'`.execute(transaction)
    const found = await queries[kind].execute(transaction)
    return { rows: found.rows, columns: Object.keys(found.rows[0] ?? {}) }
  })
  const columns = names.map(
    (name): CsvColumn<FileRow> => ({
      heading: name,
      value: (row) => {
        const value = row[name] ?? null
        if (typeof value === 'bigint') return { dollars: dollarsFromCents(cents(value)) }
        return typeof value === 'boolean' ? String(value) : value
      },
    }),
  )
  const lines = await inPieces(rows, (row) => csvLines([row], columns))
  return { csv: csvHeading(columns) + lines.join('') }
}
