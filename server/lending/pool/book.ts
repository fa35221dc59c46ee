/** The loans that owe something now (docs/loans.md, "Figures of the pool"). */
import { type Bucket, bucketBegins } from '@pool/contract/lending/arrears'
import {
  type BookBucket,
  bookBuckets,
  COUNTED_INTEREST,
  expectedLossShares,
  type PoolBook,
} from '@pool/contract/lending/poolBook'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { bucketOf, TODAY, UNPAID } from '../loans/unpaid.ts'
import { dollars, shareOf } from './shares.ts'

const DAYS = sql`coalesce(${TODAY} - lines.late_on, 0)`

/**
 * Loans that owe something, with their borrowers and what is unpaid. Interest of a loan in default
 * has stopped.
 */
const owing = (tolerance: bigint): RawBuilder<unknown> => sql`
  SELECT l.borrower_id, l.outstanding, b.relation <> 'none' AS related,
    coalesce(terms.rate_basis_points, l.rate_basis_points) AS rate,
    greatest(lines.ends_on - ${TODAY}, 0) AS days_left, lines.overdue,
    CASE WHEN l.status = 'ACTIVE' THEN lines.interest ELSE 0 END AS interest, ${DAYS} AS days,
    CASE WHEN l.status = 'DEFAULTED' THEN 'recovery' ELSE ${bucketOf(DAYS)} END AS bucket
  FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id
  JOIN (
    SELECT i.loan_id, min(i.due_on) FILTER (WHERE i.due_on < ${TODAY} AND unpaid > ${tolerance}) AS late_on,
      coalesce(sum(unpaid) FILTER (WHERE i.due_on < ${TODAY}), 0) AS overdue, max(i.due_on) AS ends_on,
      sum(i.interest - i.interest_paid) AS interest
    FROM loan_instalments AS i LEFT JOIN loan_defaults AS f ON f.loan_id = i.loan_id
    CROSS JOIN LATERAL (SELECT ${UNPAID} AS unpaid) AS line
    WHERE NOT i.replaced AND (i.principal_paid < i.principal OR i.interest_paid < i.interest)
    GROUP BY i.loan_id
  ) AS lines ON lines.loan_id = l.id
  LEFT JOIN (
    SELECT DISTINCT ON (loan_id) loan_id, rate_basis_points FROM loan_restructurings ORDER BY loan_id, first_number DESC
  ) AS terms ON terms.loan_id = l.id
  WHERE l.status IN ('ACTIVE', 'DEFAULTED')`

type Part = { readonly loans: number; readonly outstanding: string; readonly overdue: string }
type LoanSumsRow = {
  readonly loans: number
  readonly borrowers: number
  readonly everLent: number
  readonly outstanding: bigint
  readonly rate: number | null
  readonly termDays: number | null
  readonly largest: readonly string[]
  readonly related: bigint
  readonly late: bigint
  readonly interest: bigint
  readonly parts: Readonly<Partial<Record<BookBucket, Part>>>
}

const readRow = async (db: Kysely<Schema>, tolerance: bigint): Promise<LoanSumsRow> => {
  const largest = [1, 5, 10].map(
    (most) => sql`coalesce(sum(owed) FILTER (WHERE place <= ${sql.lit(most)}), 0)::text`,
  )
  const { rows } = await sql<LoanSumsRow>`
    WITH owing AS MATERIALIZED (${owing(tolerance)})
    SELECT count(*)::int AS loans, count(DISTINCT borrower_id)::int AS borrowers,
      (SELECT count(*)::int FROM loan_disbursements) AS "everLent", coalesce(sum(outstanding), 0)::bigint AS outstanding,
      round(sum(outstanding * rate) / sum(outstanding))::int AS rate,
      round(sum(outstanding * days_left) / sum(outstanding))::int AS "termDays",
      (SELECT jsonb_build_array(${sql.join(largest)}) FROM (
        SELECT sum(outstanding) AS owed, row_number() OVER (ORDER BY sum(outstanding) DESC) AS place FROM owing GROUP BY borrower_id
      ) AS by_borrower) AS largest,
      coalesce(sum(outstanding) FILTER (WHERE related), 0)::bigint AS related,
      coalesce(sum(outstanding) FILTER (WHERE days >= ${sql.lit(bucketBegins.late31)}), 0)::bigint AS late,
      coalesce(sum(interest), 0)::bigint AS interest,
      (SELECT coalesce(jsonb_object_agg(bucket, part), '{}') FROM (
        SELECT bucket, jsonb_build_object('loans', count(*), 'outstanding', sum(outstanding)::text, 'overdue', sum(overdue)::text) AS part
        FROM owing GROUP BY bucket
      ) AS parts) AS parts
    FROM owing`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate has a row')
  return row
}

const NONE: Part = { loans: 0, outstanding: '0', overdue: '0' }

/** Cents that the pool expects to lose, and those that borrowers will pay by contract. */
type Expected = { readonly loss: bigint; readonly interest: bigint }

/** The book and its arrears. `tolerance` is in cents. */
export const readBook = async (
  db: Kysely<Schema>,
  tolerance: bigint,
): Promise<Pick<PoolBook, 'book' | 'arrears'> & { readonly expected: Expected }> => {
  const row = await readRow(db, tolerance)
  const { outstanding } = row
  const part = (bucket: Bucket | BookBucket) => row.parts[bucket] ?? NONE
  const losses = bookBuckets.map(
    (bucket) => BigInt(part(bucket).outstanding) * BigInt(expectedLossShares[bucket]),
  )
  return {
    book: {
      outstanding: dollars(outstanding),
      loans: row.loans,
      borrowers: row.borrowers,
      rate: row.rate,
      termDays: row.termDays,
      largest: row.largest.map((owed) => shareOf(BigInt(owed), outstanding) ?? 0),
      related: shareOf(row.related, outstanding) ?? 0,
      everLent: row.everLent,
    },
    arrears: {
      buckets: bookBuckets.map((bucket) => ({
        bucket,
        loans: part(bucket).loans,
        outstanding: dollars(BigInt(part(bucket).outstanding)),
        overdue: dollars(BigInt(part(bucket).overdue)),
      })),
      risk30: shareOf(row.late, outstanding),
    },
    expected: {
      loss: (losses.reduce((sum, each) => sum + each, 0n) + 9_999n) / 10_000n,
      interest: (row.interest * BigInt(COUNTED_INTEREST)) / 10_000n,
    },
  }
}
