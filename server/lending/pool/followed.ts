import { dayFromDate } from '@pool/contract/base/timestamp'
import { FOLLOWED_AFTER, type PoolBook } from '@pool/contract/lending/poolBook'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { TODAY, UNPAID } from '../loans/unpaid.ts'
import { dollars } from './shares.ts'

type FollowedRow = {
  readonly disbursed_on: Date
  readonly principal: bigint
  readonly rate: number
  readonly instalments: number
  readonly paid: number
  readonly interest: bigint
  readonly late: number
  readonly status: NonNullable<PoolBook['followed']>['state']
}

/**
 * The loan that the landing page follows: the newest that was paid out long enough ago, else the
 * oldest. Null before the first. `tolerance` is in cents.
 */
export const readFollowed = async (
  db: Kysely<Schema>,
  tolerance: bigint,
): Promise<PoolBook['followed']> => {
  const { rows } = await sql<FollowedRow>`
    SELECT d.disbursed_on::timestamp AT TIME ZONE 'UTC' AS disbursed_on, d.principal, coalesce(terms.rate_basis_points, l.rate_basis_points) AS rate, lines.instalments, lines.paid,
      (SELECT coalesce(sum(interest), 0)::bigint FROM loan_repayments WHERE loan_id = l.id AND NOT reversed) AS interest,
      CASE WHEN l.status = 'ACTIVE' THEN coalesce(${TODAY} - lines.late_on, 0) ELSE 0 END AS late, l.status
    FROM (
      SELECT l.id, l.status, l.rate_basis_points FROM loans AS l JOIN loan_disbursements AS d ON d.loan_id = l.id
      CROSS JOIN LATERAL (SELECT ${TODAY} - d.disbursed_on AS days) AS age
      ORDER BY days >= ${sql.lit(FOLLOWED_AFTER)} DESC, CASE WHEN days >= ${sql.lit(FOLLOWED_AFTER)} THEN days ELSE -days END, l.id LIMIT 1
    ) AS l
    JOIN loan_disbursements AS d ON d.loan_id = l.id
    LEFT JOIN loan_defaults AS f ON f.loan_id = l.id
    LEFT JOIN LATERAL (
      SELECT rate_basis_points FROM loan_restructurings WHERE loan_id = l.id ORDER BY first_number DESC LIMIT 1
    ) AS terms ON true
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS instalments, count(*) FILTER (WHERE unpaid = 0)::int AS paid,
        min(due_on) FILTER (WHERE due_on < ${TODAY} AND unpaid > ${tolerance}) AS late_on
      FROM (SELECT i.due_on, ${UNPAID} AS unpaid FROM loan_instalments AS i WHERE i.loan_id = l.id AND NOT i.replaced) AS line
    ) AS lines`.execute(db)
  const [row] = rows
  if (!row) return null
  const { disbursed_on, principal, interest, status, ...rest } = row
  return {
    ...rest,
    disbursedOn: dayFromDate(disbursed_on),
    principal: dollars(principal),
    interest: dollars(interest),
    state: status,
  }
}
