import { LOANS_SIZE, type Loan } from '@pool/contract/loans'
import { cents, dollarsFromCents } from '@pool/contract/money'
import { timestampFromDate } from '@pool/contract/timestamp'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import { TERMS } from './terms.ts'
import { bucketOf, TODAY, UNPAID } from './unpaid.ts'

type Amount = 'fromInvestors' | 'outstanding' | 'writtenOff' | 'recovered' | 'overdue' | 'nextDue'
type Row = Omit<Loan, 'amount' | Amount | 'recordedAt'> &
  Readonly<Record<'principal' | Amount, bigint>> & { readonly recordedAt: Date }

const DAYS = sql`coalesce(${TODAY} - o.late_on, 0)`

const dollars = (amount: bigint) => dollarsFromCents(cents(amount))

type Reading = Pick<Context, 'db' | 'config'>

/** Loans as the wire has them. `some` selects from `loans AS l`. */
const selectLoans = async ({ db, config }: Reading, some: RawBuilder<unknown>): Promise<Loan[]> => {
  const { rows } = await sql<Row>`
    SELECT l.id, l.borrower_id AS "borrowerId", b.name AS borrower, b.relation, l.purpose, ${TERMS},
      coalesce(d.disbursed_on, l.disburse_on)::text AS "disburseOn", l.status, l.outstanding,
      l.written_off AS "writtenOff", l.recovered, l.refinances_id AS "refinancesId", l.from_investors AS "fromInvestors", f.defaulted_on::text AS "defaultedOn",
      ${DAYS}::int AS "daysPastDue", ${bucketOf(DAYS)} AS bucket, coalesce(o.overdue, 0)::bigint AS overdue,
      o.due_on::text AS "nextDueOn", coalesce(o.next, 0)::bigint AS "nextDue", l.created_at AS "recordedAt"
    FROM (${some}) AS l
    JOIN borrowers AS b ON b.id = l.borrower_id
    LEFT JOIN loan_disbursements AS d ON d.loan_id = l.id
    LEFT JOIN loan_defaults AS f ON f.loan_id = l.id
    LEFT JOIN LATERAL (
      SELECT min(due_on) FILTER (WHERE due_on < ${TODAY} AND unpaid > ${config.loanTolerance}) AS late_on, min(due_on) AS due_on, (array_agg(unpaid ORDER BY number))[1] AS next, sum(unpaid) FILTER (WHERE due_on < ${TODAY}) AS overdue
      FROM (
        SELECT number, due_on, ${UNPAID} AS unpaid FROM loan_instalments AS i
        WHERE i.loan_id = l.id AND NOT i.replaced AND (l.status IN ('ACTIVE', 'DEFAULTED')
          OR l.status = 'REPAID' AND i.due_on <= (SELECT max(value_on) FROM loan_repayments WHERE loan_id = l.id AND NOT reversed))
      ) AS line
      WHERE unpaid > 0
    ) AS o ON true
    ORDER BY ${DAYS} DESC, l.created_at DESC, l.id DESC`.execute(db)
  return rows.map(({ principal, recordedAt, ...loan }) => ({
    ...loan,
    amount: dollars(principal),
    fromInvestors: dollars(loan.fromInvestors),
    outstanding: dollars(loan.outstanding),
    writtenOff: dollars(loan.writtenOff),
    recovered: dollars(loan.recovered),
    overdue: dollars(loan.overdue),
    nextDue: dollars(loan.nextDue),
    recordedAt: timestampFromDate(recordedAt),
  }))
}

/** The open loans, then the newest ended ones. Those that are most days past due come first. */
export const listLoans = (context: Reading): Promise<Loan[]> =>
  selectLoans(
    context,
    sql`SELECT * FROM loans ORDER BY status IN ('REPAID', 'WRITTEN_OFF'), created_at DESC, id DESC LIMIT ${LOANS_SIZE}`,
  )

/** One loan. Undefined without one. */
export const findLoan = async (context: Reading, id: string): Promise<Loan | undefined> =>
  (await selectLoans(context, sql`SELECT * FROM loans WHERE id = ${id}`))[0]
