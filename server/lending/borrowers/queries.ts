import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type {
  Borrower,
  BorrowerStory,
  listBorrowers as endpoint,
} from '@pool/contract/lending/borrowers'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { LaggingReads } from '../../base/db/replica.ts'
import type { Schema } from '../../base/db/schema.ts'
import { laggingFor } from '../../base/lists/lagging.ts'
import { given, list, type SortKey } from '../../base/lists/list.ts'
import { holds, isId } from '../../base/lists/search.ts'
import { readDocuments } from './documents.ts'

type Request = z.infer<typeof endpoint.query>

type BorrowerRow = Omit<Borrower, 'gradedAt' | 'recordedAt' | 'outstanding'> & {
  readonly gradedAt: Date
  readonly recordedAt: Date
  readonly outstanding: bigint
}

// The index has the same expression.
const sorts: Readonly<Record<Request['sort'], SortKey>> = {
  createdAt: { by: sql`borrowers.created_at`, type: 'timestamptz' },
  name: { by: sql`lower(borrowers.name COLLATE "und-x-icu")`, type: 'text' },
}

/** The debt of all loans of a borrower, and their number. */
const OWED = sql<{ outstanding: bigint; loans: number }>`(
  SELECT coalesce(sum(outstanding), 0)::bigint AS outstanding, count(*)::int AS loans
  FROM loans WHERE borrower_id = borrowers.id)`

const present = (borrowers: SelectQueryBuilder<Schema, 'borrowers', object>) =>
  borrowers
    .leftJoin('users', 'users.id', 'borrowers.user_id')
    .leftJoinLateral(OWED.as('owed'), (join) => join.onTrue())
    .select([
      'borrowers.id',
      'borrowers.name',
      'borrowers.country',
      'borrowers.kind',
      'borrowers.relation',
      'borrowers.user_id as userId',
      'users.username as userEmail',
      'borrowers.grade',
      'borrowers.grade_reason as gradeReason',
      'borrowers.created_at as recordedAt',
      sql<Date>`coalesce(borrowers.graded_at, borrowers.created_at)`.as('gradedAt'),
      'owed.outstanding',
      'owed.loans',
    ]) as unknown as SelectQueryBuilder<Schema, 'borrowers', BorrowerRow>

const onTheWire = ({ gradedAt, recordedAt, outstanding, ...row }: BorrowerRow): Borrower => ({
  id: row.id,
  name: row.name,
  country: row.country,
  kind: row.kind,
  relation: row.relation,
  userId: row.userId,
  userEmail: row.userEmail,
  grade: row.grade,
  loans: row.loans,
  gradeReason: row.gradeReason,
  gradedAt: timestampFromDate(gradedAt),
  recordedAt: timestampFromDate(recordedAt),
  outstanding: dollarsFromCents(cents(outstanding)),
})

/** Lists borrowers with what their loans owe (docs/product.md 5.36). The newest come first. */
export const listBorrowers = (
  db: Kysely<Schema>,
  request: Request,
  lagging?: LaggingReads | undefined,
) =>
  list({
    db,
    lagging: laggingFor(lagging, request, 'mixed'),
    request,
    table: 'borrowers',
    sorts,
    matching: db
      .selectFrom('borrowers')
      .where(
        given(
          request.search,
          (search) =>
            sql`(${holds(sql`borrowers.name`, search)} OR ${isId('borrowers.id', search)})`,
        ),
      ),
    tally: undefined,
    present,
    onTheWire,
  })

/** A borrower with each grade and the documents. Throws `borrowerNotFound`. */
export const readBorrowerStory = async (db: Kysely<Schema>, id: string): Promise<BorrowerStory> => {
  const one = db.selectFrom('borrowers').where('borrowers.id', '=', id)
  const row = await present(one).executeTakeFirst()
  if (!row) throw refusal('borrowerNotFound')
  type Grade = Omit<BorrowerStory['grades'][number], 'at'> & { readonly at: Date }
  const { rows: grades } = await sql<Grade>`
    SELECT g.grade, g.reason, u.username AS by, g.graded_at AS at
    FROM borrower_grades AS g JOIN users AS u ON u.id = g.graded_by
    WHERE g.borrower_id = ${id} ORDER BY g.number DESC`.execute(db)
  return {
    borrower: onTheWire(row),
    grades: grades.map(({ at, ...grade }) => ({ ...grade, at: timestampFromDate(at) })),
    documents: await readDocuments(db, { type: 'borrower', id }),
  }
}
