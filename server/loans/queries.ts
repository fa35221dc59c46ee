import { LOANS_SIZE, type Loan } from '@pool/contract/loans'
import { cents, dollarsFromCents } from '@pool/contract/money'
import { timestampFromDate } from '@pool/contract/timestamp'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { TERMS } from './terms.ts'

type Row = Omit<Loan, 'amount' | 'outstanding' | 'overdue' | 'nextDue' | 'recordedAt'> & {
  readonly principal: bigint
  readonly outstanding: bigint
  readonly overdue: bigint
  readonly nextDue: bigint
  readonly recordedAt: Date
}

const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`

/** Loans as the wire has them. `some` selects from `loans AS l`. */
const selectLoans = async (db: Kysely<Schema>, some: RawBuilder<unknown>): Promise<Loan[]> => {
  const { rows } = await sql<Row>`
    SELECT l.id, l.borrower_id AS "borrowerId", b.name AS borrower, b.relation, l.purpose, ${TERMS},
      coalesce(d.disbursed_on, l.disburse_on)::text AS "disburseOn", l.status, l.outstanding,
      coalesce(greatest(${TODAY} - o.due_on, 0), 0)::int AS "daysPastDue", coalesce(o.overdue, 0)::bigint AS overdue,
      o.due_on::text AS "nextDueOn", coalesce(o.next, 0)::bigint AS "nextDue", l.created_at AS "recordedAt"
    FROM (${some}) AS l
    JOIN borrowers AS b ON b.id = l.borrower_id
    LEFT JOIN loan_disbursements AS d ON d.loan_id = l.id
    LEFT JOIN LATERAL (
      SELECT min(due_on) AS due_on, (array_agg(unpaid ORDER BY number))[1] AS next, sum(unpaid) FILTER (WHERE due_on < ${TODAY}) AS overdue
      FROM (
        SELECT number, due_on, principal - principal_paid + interest - interest_paid AS unpaid FROM loan_instalments
        WHERE loan_id = l.id AND (principal_paid < principal OR interest_paid < interest)
      ) AS open
    ) AS o ON true
    ORDER BY coalesce(greatest(${TODAY} - o.due_on, 0), 0) DESC, l.created_at DESC, l.id DESC`.execute(
    db,
  )
  return rows.map(({ principal, outstanding, overdue, nextDue, recordedAt, ...loan }) => ({
    ...loan,
    amount: dollarsFromCents(cents(principal)),
    outstanding: dollarsFromCents(cents(outstanding)),
    overdue: dollarsFromCents(cents(overdue)),
    nextDue: dollarsFromCents(cents(nextDue)),
    recordedAt: timestampFromDate(recordedAt),
  }))
}

/** The open loans, then the newest repaid ones. Those that are most days past due come first. */
export const listLoans = (db: Kysely<Schema>): Promise<Loan[]> =>
  selectLoans(
    db,
    sql`SELECT * FROM loans ORDER BY status = 'REPAID', created_at DESC, id DESC LIMIT ${LOANS_SIZE}`,
  )

/** One loan. Undefined without one. */
export const findLoan = async (db: Kysely<Schema>, id: string): Promise<Loan | undefined> =>
  (await selectLoans(db, sql`SELECT * FROM loans WHERE id = ${id}`))[0]
