/** The daily file of all loans without personal data (docs/product.md 5.33). */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type CsvColumn, csvHeading, csvLines } from '@pool/contract/base/csv'
import { dayFromDate } from '@pool/contract/base/timestamp'
import {
  COUNTED_DAYS,
  FEWEST_LOANS,
  LIQUIDITY_DAYS,
  TAPES_SIZE,
  type Tape,
} from '@pool/contract/lending/poolBook'
import { type TapeColumn, tapeColumns } from '@pool/contract/lending/tapeColumns'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import type { WithConfig } from '../../http/context.ts'
import { signFile } from '../../records/audit/publish.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { bucketOf, TODAY, UNPAID } from '../loans/unpaid.ts'
import { dollars } from './shares.ts'

/** The version of the columns. A new column or another meaning gives it the next number. */
const SCHEMA = 4
/** Rows that are read at once. */
const PORTION = 5_000
/** A pair of country and purpose with fewer borrowers than these is left out. */
const FEWEST_BORROWERS = FEWEST_LOANS

type Value = string | number | bigint | null
type TapeRow = Readonly<Record<string, Value>> & { readonly id: string; readonly borrower: string }

/** Cents of lines that fall due from today to so many days ahead. */
const dueWithin = (days: number) =>
  sql`coalesce(sum(unpaid) FILTER (WHERE due_on BETWEEN ${TODAY} AND ${TODAY} + ${sql.lit(days)}::int), 0)::bigint AS ${sql.ref(`due_${days}`)}`
/**
 * Cents of a loan by the month of booking, as `2026-10 12.34; 2026-11 -1.00`: what repayments
 * brought, less what reversals took.
 */
const byMonth = (brought: 'interest' | 'kept', taken: 'interest' | 'recovered') => sql`
  (SELECT string_agg(to_char(month, 'YYYY-MM ') || trim(to_char(cents / 100.0, 'FM999999999990.00')), '; ' ORDER BY month) FROM (
    SELECT date_trunc('month', utc_day(created_at)) AS month, sum(cents) AS cents FROM (
      SELECT created_at, ${sql.ref(brought)} AS cents FROM loan_repayments WHERE loan_id = l.id
      UNION ALL SELECT v.created_at, -v.${sql.ref(taken)} FROM loan_reversals AS v JOIN loan_repayments AS r ON r.id = v.repayment_id
      WHERE r.loan_id = l.id) AS booked
    GROUP BY 1 HAVING sum(cents) <> 0) AS months)`
/** Lines that fell due in the days over which collected instalments are counted. */
const JUST_DUE = sql`due_on >= ${TODAY} - ${sql.lit(COUNTED_DAYS)}::int AND due_on < ${TODAY}`

/** Loans that were disbursed, after one by its id. Days are ISO texts, amounts cents. */
const rowsAfter = (id: string, tolerance: bigint): RawBuilder<TapeRow> => sql`
  SELECT l.id, l.borrower_id AS borrower, b.relation, CASE WHEN wide.is_wide THEN l.purpose END AS purpose,
    CASE WHEN wide.is_wide THEN b.country END AS country, coalesce(graded.grade, b.grade) AS grade, p.approved_on, l.taken_over_on::text AS taken_over_on, d.disbursed_on::text AS disbursed_on,
    l.first_due_on::text AS first_due_on, coalesce(terms.due_day, l.due_day) AS due_day, original.ends_on::text AS maturity_original, lines.ends_on::text AS maturity_current,
    coalesce(terms.schedule, l.schedule) AS schedule, coalesce(terms.period, l.period) AS period,
    coalesce(terms.day_count, l.day_count) AS day_count, coalesce(terms.rate_basis_points, l.rate_basis_points) AS rate,
    d.principal AS disbursed, l.from_investors, d.network_name AS network, lines.instalments, lines.instalments_paid,
    paid.principal AS principal_repaid, paid.interest AS interest_received, ${byMonth('interest', 'interest')} AS interest_by_month, l.outstanding,
    CASE WHEN owes THEN lines.due_principal ELSE 0 END AS due_principal, CASE WHEN owes THEN lines.due - lines.due_principal ELSE 0 END AS due_interest,
    late.days AS dpd, greatest(late.days, coalesce(moves.worst, 0)) AS dpd_max,
    CASE WHEN owes THEN ${bucketOf(sql`late.days`)} END AS bucket, CASE WHEN owes THEN lines.next_on::text END AS next_due_on,
    CASE WHEN owes THEN lines.next_due END AS next_due, CASE WHEN owes THEN lines.last_on::text END AS last_unpaid_on,
    CASE WHEN l.status = 'ACTIVE' THEN lines.contracted ELSE 0 END AS interest_unpaid,
    CASE WHEN l.status = 'ACTIVE' THEN lines.due_7 ELSE 0 END AS due_7, CASE WHEN l.status = 'ACTIVE' THEN lines.due_30 ELSE 0 END AS due_30,
    CASE WHEN l.status = 'ACTIVE' THEN lines.due_90 ELSE 0 END AS due_90, lines.due_before_90, lines.paid_before_90,
    paid.last_on::text AS last_paid_on, l.status,
    terms.starts_on::text AS restructured_on, terms.starts_as AS restructured_as, terms.principal AS restructured_principal,
    terms.interest AS restructured_interest, terms.first_due_on::text AS restructured_first_due_on, coalesce(terms.times, 0) AS restructurings, coalesce(terms.ever_distressed, false)::text AS distressed,
    l.refinances_id AS refinances, f.defaulted_on::text AS default_on, f.reason AS default_reason,
    f.principal AS principal_at_default, f.principal + f.interest AS exposure_at_default, l.recovered, ${byMonth('kept', 'recovered')} AS kept_by_month,
    (SELECT coalesce(sum(recovered - kept), 0)::bigint FROM loan_repayments WHERE loan_id = l.id) AS given_back, w.written_off_on, l.written_off,
    CASE WHEN secured.value > 0 THEN 'collateral' ELSE 'none' END AS security, secured.value AS security_value, secured.valued_on AS security_valued_on,
    (SELECT (max(created_at) AT TIME ZONE 'UTC')::date::text FROM loan_updates WHERE loan_id = l.id) AS last_update_on,
    CASE l.status WHEN 'REPAID' THEN paid.last_on::text WHEN 'WRITTEN_OFF' THEN w.written_off_on END AS closed_on,
    CASE WHEN l.status = 'WRITTEN_OFF' THEN 'written_off' WHEN l.status <> 'REPAID' THEN NULL
      WHEN EXISTS (SELECT FROM loans AS n JOIN loan_disbursements AS nd ON nd.loan_id = n.id WHERE n.refinances_id = l.id) THEN 'refinanced'
      WHEN paid.last_on < lines.ends_on THEN 'early' ELSE 'scheduled' END AS closed_how
  FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id JOIN loan_disbursements AS d ON d.loan_id = l.id
  JOIN wide ON wide.country = b.country AND wide.purpose = l.purpose
  LEFT JOIN loan_defaults AS f ON f.loan_id = l.id
  LEFT JOIN LATERAL (SELECT l.status IN ('ACTIVE', 'DEFAULTED') AS owes) AS state ON true
  LEFT JOIN LATERAL (
    SELECT (ended_at AT TIME ZONE 'UTC')::date::text AS approved_on FROM proposals
    WHERE kind = 'APPROVE_LOAN' AND subject = l.id::text AND status = 'DONE' ORDER BY ended_at LIMIT 1
  ) AS p ON true
  LEFT JOIN LATERAL (SELECT (created_at AT TIME ZONE 'UTC')::date::text AS written_off_on FROM loan_write_offs WHERE loan_id = l.id) AS w ON true
  LEFT JOIN LATERAL (
    SELECT r.*, count(*) OVER ()::int AS times, bool_or(r.distressed) OVER () AS ever_distressed, min(r.first_number) OVER () AS begins
    FROM loan_restructurings AS r WHERE loan_id = l.id ORDER BY r.first_number DESC LIMIT 1
  ) AS terms ON true
  LEFT JOIN LATERAL (
    SELECT max(due_on) AS ends_on FROM loan_instalments WHERE loan_id = l.id AND (terms.begins IS NULL OR number < terms.begins)
  ) AS original ON true
  LEFT JOIN LATERAL (
    SELECT max(due_on) AS ends_on, count(*)::int AS instalments, count(*) FILTER (WHERE unpaid = 0)::int AS instalments_paid,
      coalesce(sum(unpaid) FILTER (WHERE due_on < ${TODAY}), 0)::bigint AS due,
      coalesce(sum(owed) FILTER (WHERE due_on < ${TODAY}), 0)::bigint AS due_principal,
      max(due_on) FILTER (WHERE is_open) AS last_on, coalesce(sum(interest_open), 0)::bigint AS contracted,
      ${sql.join(LIQUIDITY_DAYS.map(dueWithin), sql`, `)},
      coalesce(sum(whole) FILTER (WHERE ${JUST_DUE}), 0)::bigint AS due_before_90, coalesce(sum(paid) FILTER (WHERE ${JUST_DUE}), 0)::bigint AS paid_before_90,
      min(due_on) FILTER (WHERE unpaid > 0) AS next_on, (array_agg(unpaid ORDER BY number) FILTER (WHERE unpaid > 0))[1]::bigint AS next_due,
      min(due_on) FILTER (WHERE due_on < ${TODAY} AND unpaid > ${tolerance}) AS late_on
    FROM (SELECT number, due_on, i.principal - i.principal_paid AS owed, ${UNPAID} AS unpaid, i.interest - i.interest_paid AS interest_open,
        i.principal_paid < i.principal OR i.interest_paid < i.interest AS is_open, i.principal + i.interest AS whole,
        i.principal_paid + i.interest_paid AS paid FROM loan_instalments AS i
      WHERE i.loan_id = l.id AND NOT i.replaced) AS line
  ) AS lines ON true
  LEFT JOIN LATERAL (SELECT CASE WHEN owes THEN coalesce(${TODAY} - lines.late_on, 0) ELSE 0 END AS days) AS late ON true
  LEFT JOIN LATERAL (
    SELECT coalesce(sum(principal), 0)::bigint AS principal, coalesce(sum(interest), 0)::bigint AS interest, max(value_on) AS last_on
    FROM loan_repayments WHERE loan_id = l.id AND NOT reversed
  ) AS paid ON true
  LEFT JOIN LATERAL (SELECT max(days_past_due) AS worst FROM loan_moves WHERE loan_id = l.id) AS moves ON true
  LEFT JOIN LATERAL (
    SELECT sum(value)::bigint AS value, max(valued_on)::text AS valued_on FROM loan_collateral WHERE loan_id = l.id AND withdrawn_at IS NULL
  ) AS secured ON true
  LEFT JOIN LATERAL (
    SELECT grade FROM borrower_grades WHERE borrower_id = b.id AND graded_at <= d.created_at ORDER BY number DESC LIMIT 1
  ) AS graded ON true
  WHERE l.id > ${id} ORDER BY l.id LIMIT ${sql.lit(PORTION)}`

/** Pairs of country and purpose, each with the answer if enough borrowers share it. */
const WIDE = sql`wide AS MATERIALIZED (
  SELECT b.country, l.purpose, count(DISTINCT b.id) >= ${sql.lit(FEWEST_BORROWERS)} AS is_wide
  FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id JOIN loan_disbursements AS d ON d.loan_id = l.id GROUP BY 1, 2)`

const NO_LOAN = '00000000-0000-0000-0000-000000000000'

/** A stable name of a row that cannot be traced back without the key. */
const namesBy = (keys: Keys) => {
  // The oldest key stays, so a rotation renames nothing.
  const oldest = keys.ids.at(-1)
  return (kind: 'loan' | 'borrower', id: string): string =>
    keys.sign('loan tape', `${kind} ${id}`, oldest).slice(-64, -40)
}

const text =
  (name: string) =>
  (row: TapeRow): string | number | null => {
    const value = row[name] ?? null
    return typeof value === 'bigint' ? dollars(value) : value
  }
const money = (name: string) => (row: TapeRow) => {
  const value = row[name]
  return value === null || value === undefined ? null : { dollars: dollars(BigInt(value)) }
}

type Columns = readonly CsvColumn<TapeRow>[]

/** The columns. docs/loans.md, "The tape", says what each means. */
const columnsOf = (day: string, keys: Keys): Columns => {
  // Long: a line a column.
  const named = namesBy(keys)
  const values: Readonly<Record<TapeColumn, CsvColumn<TapeRow>['value']>> = {
    as_of: () => day,
    schema: () => SCHEMA,
    loan_id: ({ id }) => named('loan', id),
    borrower_key: ({ borrower }) => named('borrower', borrower),
    related_party: text('relation'),
    purpose: text('purpose'),
    country: text('country'),
    risk_band: text('grade'),
    approved_on: text('approved_on'),
    taken_over_on: text('taken_over_on'),
    disbursed_on: text('disbursed_on'),
    first_due_on: text('first_due_on'),
    due_day: text('due_day'),
    maturity_original: text('maturity_original'),
    maturity_current: text('maturity_current'),
    schedule: text('schedule'),
    period: text('period'),
    day_count: text('day_count'),
    rate_pct: ({ rate }) => (Number(rate) / 100).toFixed(2),
    disbursed: money('disbursed'),
    from_investors: money('from_investors'),
    paid_on_network: text('network'),
    instalments: text('instalments'),
    instalments_paid: text('instalments_paid'),
    principal_repaid: money('principal_repaid'),
    interest_received: money('interest_received'),
    interest_by_month: text('interest_by_month'),
    outstanding: money('outstanding'),
    due_principal: money('due_principal'),
    due_interest: money('due_interest'),
    dpd: text('dpd'),
    dpd_max: text('dpd_max'),
    bucket: text('bucket'),
    next_due_on: text('next_due_on'),
    next_due: money('next_due'),
    last_unpaid_on: text('last_unpaid_on'),
    interest_unpaid: money('interest_unpaid'),
    due_7: money('due_7'),
    due_30: money('due_30'),
    due_90: money('due_90'),
    due_before_90: money('due_before_90'),
    paid_before_90: money('paid_before_90'),
    last_paid_on: text('last_paid_on'),
    state: text('status'),
    restructured_on: text('restructured_on'),
    restructured_as: text('restructured_as'),
    restructured_principal: money('restructured_principal'),
    restructured_interest: money('restructured_interest'),
    restructured_first_due_on: text('restructured_first_due_on'),
    restructurings: text('restructurings'),
    distressed: text('distressed'),
    refinances_loan_id: ({ refinances }) => (refinances ? named('loan', String(refinances)) : null),
    default_on: text('default_on'),
    default_reason: text('default_reason'),
    principal_at_default: money('principal_at_default'),
    exposure_at_default: money('exposure_at_default'),
    recovered: money('recovered'),
    kept_by_month: text('kept_by_month'),
    given_back: money('given_back'),
    written_off_on: text('written_off_on'),
    written_off: money('written_off'),
    security: text('security'),
    security_value: money('security_value'),
    security_valued_on: text('security_valued_on'),
    last_update_on: text('last_update_on'),
    closed_on: text('closed_on'),
    closed_how: text('closed_how'),
  }
  return tapeColumns.map((heading) => ({ heading, value: values[heading] }))
}

/** The name of the file of a day, in ISO text. It is signed, so that no file passes for another. */
export const tapeName = (day: string): string => `loans-${day}.csv`

type Taping = OnRecord & WithConfig

/** The file of this moment. */
const makeTape = ({ db, config, keys }: Taping) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      await sql`SET LOCAL statement_timeout = '5min'`.execute(snapshot)
      const { rows: days } = await sql<{ day: string }>`SELECT ${TODAY}::text AS day`.execute(
        snapshot,
      )
      const day = days[0]?.day ?? ''
      const columns = columnsOf(day, keys)
      const parts = [csvHeading(columns)]
      let [loans, last] = [0, NO_LOAN]
      for (;;) {
        const { rows } = await sql<TapeRow>`
          WITH ${WIDE} ${rowsAfter(last, config.loanTolerance)}`.execute(snapshot)
        parts.push(csvLines(rows, columns))
        loans += rows.length
        last = rows.at(-1)?.id ?? last
        if (rows.length < PORTION) break
      }
      return { day, loans, file: Buffer.from(parts.join('')) }
    })

/** Makes the file of today unless there is one. Returns true if it did. */
export const writeTape = async (context: Taping): Promise<boolean> => {
  const { rows } = await sql<{ made: boolean }>`
    SELECT EXISTS (SELECT FROM pool_tapes WHERE day = ${TODAY}) AS made`.execute(context.db)
  if (rows[0]?.made) return false
  const { day, loans, file } = await makeTape(context)
  const row = { day, loans, size: BigInt(file.length), file: await promisify(gzip)(file) }
  const digest = createHash('sha256').update(file).digest('hex')
  const { keyId: key_id, signature } = await signFile(context, { name: tapeName(day), digest })
  await context.db
    .insertInto('pool_tapes')
    .values({ ...row, digest, key_id, signature } as never)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}

/** The files, the newest first. */
export const readTapes = async (db: Kysely<Schema>): Promise<Tape[]> => {
  const { rows } = await sql<
    { readonly day: string; readonly size: bigint } & Pick<Tape, 'loans' | 'digest' | 'signed'>
  >`
    SELECT day::text, loans, size, digest,
      CASE WHEN signature IS NOT NULL THEN jsonb_build_object('keyId', key_id, 'signature', signature) END AS signed
    FROM pool_tapes ORDER BY day DESC LIMIT ${TAPES_SIZE}`.execute(db)
  return rows.map(({ day, size, ...tape }) => ({
    ...tape,
    day: dayFromDate(new Date(day)),
    name: tapeName(day),
    size: Number(size),
  }))
}

/** The file of a day, by gzip. Undefined without one. */
export const readTapeFile = async (
  db: Kysely<Schema>,
  day: string,
): Promise<Buffer | undefined> => {
  const { rows } = await sql<{
    file: Buffer
  }>`SELECT file FROM pool_tapes WHERE day = ${day}`.execute(db)
  return rows[0]?.file
}
