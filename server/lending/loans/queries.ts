import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { SILENT_DAYS } from '@pool/contract/lending/loanRecords'
import type { Loan, listLoans as listEndpoint } from '@pool/contract/lending/loans'
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { LaggingReads } from '../../base/db/replica.ts'
import type { Schema } from '../../base/db/schema.ts'
import { laggingFor } from '../../base/lists/lagging.ts'
import { given, isOneOf, list, type SortKey } from '../../base/lists/list.ts'
import { holds, isId } from '../../base/lists/search.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { late } from './arrears.ts'
import { bucketOf, TODAY, UNPAID } from './unpaid.ts'

type Request = z.infer<typeof listEndpoint.query>
type Loans = SelectQueryBuilder<Schema, 'loans', object>
type LoanReadingParts = WithDb & WithConfig

type Amount = 'fromInvestors' | 'outstanding' | 'writtenOff' | 'recovered' | 'overdue' | 'nextDue'
type LoanRow = Omit<Loan, 'amount' | Amount | 'recordedAt' | 'lastUpdateAt'> &
  Readonly<Record<'principal' | Amount, bigint>> & {
    readonly recordedAt: Date
    readonly lastUpdateAt: Date | null
  }

/** Days past due of `lateOn`, the due day of the oldest line that is. */
const daysSince = (lateOn: string) => sql<number>`coalesce(${TODAY} - ${sql.ref(lateOn)}, 0)`
const DAYS = daysSince('loans.late_on')

/** The newest update of a loan. */
const LAST_UPDATE = sql<Date | null>`(SELECT max(created_at) FROM loan_updates WHERE loan_id = loans.id)`

/** Late since `lateOn`, and without an update, for {@link SILENT_DAYS} days (product.md 5.35). */
const isSilentSince = (lateOn: string) => sql<boolean>`
  (loans.outstanding > 0 AND ${sql.ref(lateOn)} IS NOT NULL
    AND ${TODAY} - greatest(${sql.ref(lateOn)}, (${LAST_UPDATE} AT TIME ZONE 'UTC')::date) >= ${sql.lit(SILENT_DAYS)})`

const sorts: Readonly<Record<Request['sort'], SortKey>> = {
  daysPastDue: { by: DAYS, type: 'bigint' },
  createdAt: { by: sql`loans.created_at`, type: 'timestamptz' },
  outstanding: { by: sql`loans.outstanding`, type: 'bigint' },
  amount: { by: sql`loans.principal`, type: 'bigint' },
  borrower: { by: sql`lower(loans.borrower COLLATE "und-x-icu")`, type: 'text' },
}

/** Loans with their borrower, and with the oldest line past due where a list is by it. */
const namedLoans = ({ db, config }: LoanReadingParts, isByDays: boolean): Loans => {
  const lateOn = isByDays
    ? sql`LEFT JOIN (${late(config.loanTolerance)}) AS late ON late.loan_id = l.id AND l.outstanding > 0`
    : sql`LEFT JOIN (SELECT NULL::date AS due_on) AS late ON true`
  return db.selectFrom(
    sql`(SELECT l.*, b.name AS borrower, b.relation, b.user_id, late.due_on AS late_on
      FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id ${lateOn})`.as('loans'),
  ) as unknown as Loans
}

/** The lines of a loan that are owed. A loan that is repaid owes none that is due later. */
const owed = (tolerance: bigint) => sql<{
  readonly owed_late_on: string
}>`(
  SELECT min(due_on) FILTER (WHERE due_on < ${TODAY} AND unpaid > ${tolerance}) AS owed_late_on, min(due_on) AS due_on,
    (array_agg(unpaid ORDER BY number))[1] AS next, sum(unpaid) FILTER (WHERE due_on < ${TODAY}) AS overdue
  FROM (
    SELECT number, due_on, ${UNPAID} AS unpaid FROM loan_instalments AS i
    WHERE i.loan_id = loans.id AND NOT i.replaced AND (loans.status IN ('ACTIVE', 'DEFAULTED')
      OR loans.status = 'REPAID' AND i.due_on <= (SELECT max(value_on) FROM loan_repayments WHERE loan_id = loans.id AND NOT reversed))
  ) AS line
  WHERE unpaid > 0)`

/** The payment that a batch is to make. */
const SENDING = sql<Loan['sending']>`(
  SELECT jsonb_build_object('networkName', network_name, 'address', address, 'batchId', (SELECT batch_id FROM batch_payouts WHERE sending_id = s.id AND is_open))
  FROM loan_sendings AS s WHERE loan_id = loans.id AND status = 'OPEN')`

const SHOWN_DAYS = daysSince('o.owed_late_on')

/** Loans with the columns of the wire. */
const present = (tolerance: bigint) => (loans: Loans) =>
  loans
    .leftJoin('loan_disbursements as d', 'd.loan_id', 'loans.id')
    .leftJoin('loan_defaults as f', 'f.loan_id', 'loans.id')
    .leftJoinLateral(owed(tolerance).as('o'), (join) => join.onTrue())
    .select([
      'loans.id',
      'loans.borrower_id as borrowerId',
      'loans.purpose',
      'loans.principal',
      'loans.rate_basis_points as rateBasisPoints',
      'loans.schedule',
      'loans.period',
      'loans.day_count as dayCount',
      'loans.instalments',
      'loans.due_day as dueDay',
      'loans.status',
      'loans.outstanding',
      'loans.written_off as writtenOff',
      'loans.recovered',
      'loans.refinances_id as refinancesId',
      'loans.from_investors as fromInvestors',
      'loans.created_at as recordedAt',
      SENDING.as('sending'),
      sql<LoanRow['borrower']>`loans.borrower`.as('borrower'),
      sql<LoanRow['relation']>`loans.relation`.as('relation'),
      sql<LoanRow['borrowerUserId']>`loans.user_id`.as('borrowerUserId'),
      sql<LoanRow['borrowerAccounts']>`coalesce(accounts_of(loans.user_id), '{}')`.as(
        'borrowerAccounts',
      ),
      sql<string>`coalesce(d.disbursed_on, loans.disburse_on)::text`.as('disburseOn'),
      sql<string>`loans.first_due_on::text`.as('firstDueOn'),
      sql<string | null>`loans.taken_over_on::text`.as('takenOverOn'),
      sql<string | null>`f.defaulted_on::text`.as('defaultedOn'),
      sql<number>`${SHOWN_DAYS}::int`.as('daysPastDue'),
      bucketOf(SHOWN_DAYS).as('bucket'),
      sql<bigint>`coalesce(o.overdue, 0)::bigint`.as('overdue'),
      sql<string | null>`o.due_on::text`.as('nextDueOn'),
      sql<bigint>`coalesce(o.next, 0)::bigint`.as('nextDue'),
      LAST_UPDATE.as('lastUpdateAt'),
      isSilentSince('o.owed_late_on').as('isSilent'),
    ]) as unknown as SelectQueryBuilder<Schema, 'loans', LoanRow>

const dollars = (amount: bigint) => dollarsFromCents(cents(amount))

const onTheWire = ({ principal, recordedAt, lastUpdateAt, ...loan }: LoanRow): Loan => {
  const { id, borrowerId, borrower, borrowerUserId, relation, purpose, status, ...rest } = loan
  return {
    id,
    borrowerId,
    borrower,
    borrowerUserId,
    relation,
    purpose,
    status,
    borrowerAccounts: rest.borrowerAccounts,
    rateBasisPoints: rest.rateBasisPoints,
    schedule: rest.schedule,
    period: rest.period,
    dayCount: rest.dayCount,
    instalments: rest.instalments,
    dueDay: rest.dueDay,
    disburseOn: rest.disburseOn,
    firstDueOn: rest.firstDueOn,
    takenOverOn: rest.takenOverOn,
    bucket: rest.bucket,
    daysPastDue: rest.daysPastDue,
    nextDueOn: rest.nextDueOn,
    refinancesId: rest.refinancesId,
    defaultedOn: rest.defaultedOn,
    sending: rest.sending,
    amount: dollars(principal),
    fromInvestors: dollars(rest.fromInvestors),
    outstanding: dollars(rest.outstanding),
    writtenOff: dollars(rest.writtenOff),
    recovered: dollars(rest.recovered),
    overdue: dollars(rest.overdue),
    nextDue: dollars(rest.nextDue),
    lastUpdateAt: lastUpdateAt && timestampFromDate(lastUpdateAt),
    isSilent: rest.isSilent,
    recordedAt: timestampFromDate(recordedAt),
  }
}

/** Loans of borrowers whose name has the search, or the loan with that id. */
const found = (search: string) =>
  sql<SqlBool>`(loans.borrower_id IN (SELECT id FROM borrowers WHERE ${holds(sql`borrowers.name`, search)})
    OR ${isId('loans.id', search)})`

/** Filters by days past due, which change at midnight without a write. */
const unindexedOf = ({ bucket, updates }: Request) => {
  // A loan that owes nothing stands in no bucket.
  const inBucket =
    bucket && sql<SqlBool>`loans.outstanding > 0 AND ${bucketOf(DAYS)} = ANY (${bucket})`
  const isSilent = updates && sql<SqlBool>`${isSilentSince('loans.late_on')}`
  if (inBucket && isSilent)
    return { where: sql<SqlBool>`${inBucket} AND ${isSilent}`, field: 'bucket' }
  if (inBucket) return { where: inBucket, field: 'bucket' }
  return isSilent && { where: isSilent, field: 'updates' }
}

/** Lists loans (docs/product.md 5.26). Those that are most days past due come first by default. */
export const listLoans = (
  context: LoanReadingParts,
  request: Request,
  lagging?: LaggingReads | undefined,
) => {
  const { status, borrowerId, search, sort } = request
  const byDays = unindexedOf(request)
  return list({
    db: context.db,
    lagging: laggingFor(lagging, request, 'mixed'),
    request,
    table: 'loans',
    sorts,
    matching: namedLoans(context, sort === 'daysPastDue' || byDays !== undefined)
      .where(given(status, (statuses) => isOneOf('loans.status', statuses)))
      .where(given(borrowerId, (id) => sql`loans.borrower_id = ${id}`))
      .where(given(search, found)),
    unindexed: byDays,
    tally:
      borrowerId === undefined && search === undefined
        ? { noun: 'loans', statuses: status }
        : undefined,
    present: present(context.config.loanTolerance),
    onTheWire,
  })
}

/** One loan. Undefined without one. */
export const findLoan = async (
  context: LoanReadingParts,
  id: string,
): Promise<Loan | undefined> => {
  const one = namedLoans(context, false).where('loans.id', '=', id)
  const row = await present(context.config.loanTolerance)(one).executeTakeFirst()
  return row && onTheWire(row)
}
