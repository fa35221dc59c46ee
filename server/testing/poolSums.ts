/** The public figures of the loan book, summed by a test from the rows and not by the product. */
import type { PoolBook } from '@pool/contract/lending/poolBook'
import { expectedLossShares } from '@pool/contract/lending/poolBook'
import type { Pool } from 'pg'

type Queryable = Pick<Pool, 'query'>

type Loan = {
  readonly id: string
  readonly borrower: string
  readonly relation: string
  readonly status: string
  readonly outstanding: number
  readonly rate: number
  readonly defaultedOn: string | null
  readonly stoppedNumber: number | null
  readonly stoppedInterest: number
  readonly exposure: number
  readonly writtenOff: number
  readonly recovered: number
  readonly lent: number
  readonly lentOn: string
  readonly takenOver: boolean
}
type Line = {
  readonly loan: string
  readonly number: number
  readonly interestPaid: number
  readonly dueOn: string
  readonly principal: number
  readonly interest: number
}

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((all, row) => all + of(row), 0)
const inDollars = (cents: number): number => cents / 100
const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.floor((part * 20_000 + whole) / (whole * 2))
const daysTo = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000

const BEGINS = { late91: 91, late61: 61, late31: 31, late1: 1, current: 0 } as const

const readLoans = async (pool: Queryable): Promise<Loan[]> =>
  (
    await pool.query(
      `SELECT l.id, l.borrower_id AS borrower, relation, l.status, outstanding::int, coalesce((
           SELECT rate_basis_points FROM loan_restructurings WHERE loan_id = l.id ORDER BY first_number DESC LIMIT 1
         ), l.rate_basis_points) AS rate, defaulted_on::text AS "defaultedOn",
         stopped_number AS "stoppedNumber", coalesce(stopped_interest, 0)::int AS "stoppedInterest", coalesce(f.principal, 0)::int AS exposure,
         written_off::int AS "writtenOff", recovered::int, d.principal::int AS lent, disbursed_on::text AS "lentOn",
         taken_over_on IS NOT NULL AS "takenOver"
       FROM loan_disbursements AS d JOIN loans AS l ON l.id = d.loan_id JOIN borrowers AS b ON b.id = l.borrower_id
       LEFT JOIN loan_defaults AS f ON f.loan_id = l.id`,
    )
  ).rows

const readLines = async (pool: Queryable): Promise<Line[]> =>
  (
    await pool.query(
      `SELECT loan_id AS loan, number, interest_paid::int AS "interestPaid", due_on::text AS "dueOn", (principal - principal_paid)::int AS principal,
         (interest - interest_paid)::int AS interest
       FROM loan_instalments WHERE NOT replaced ORDER BY loan_id, number`,
    )
  ).rows

/** The interest that a line owes: after a default what it had earned by then. */
const interestOf = (loan: Loan, line: Line): number => {
  if (!loan.defaultedOn || line.dueOn <= loan.defaultedOn) return line.interest
  if (line.number !== loan.stoppedNumber) return 0
  return Math.max(0, loan.stoppedInterest - line.interestPaid)
}

/** A loan with what it owes by its lines. */
const judge = (loan: Loan, all: readonly Line[], today: string) => {
  const open = all.filter(
    ({ loan: id, principal, interest }) => id === loan.id && principal + interest > 0,
  )
  const owed = open.map((line) => ({
    dueOn: line.dueOn,
    cents: line.principal + interestOf(loan, line),
  }))
  const due = owed.filter(({ dueOn }) => dueOn < today)
  const oldest = due.find(({ cents }) => cents > 100)
  const days = oldest ? daysTo(oldest.dueOn, today) : 0
  const late = Object.entries(BEGINS).find(([, begins]) => days >= begins)?.[0] ?? 'current'
  return {
    loan,
    days,
    overdue: sum(due, ({ cents }) => cents),
    bucket: loan.status === 'DEFAULTED' ? 'recovery' : late,
    left: Math.max(0, daysTo(today, open.at(-1)?.dueOn ?? today)),
    interest: loan.status === 'ACTIVE' ? sum(open, ({ interest }) => interest) : 0,
  }
}
type Judged = ReturnType<typeof judge>

const bookOf = (judged: readonly Judged[], everLent: number): PoolBook['book'] => {
  const whole = sum(judged, ({ loan }) => loan.outstanding)
  const weighted = (of: (each: Judged) => number) =>
    whole === 0 ? null : Math.round(sum(judged, (each) => each.loan.outstanding * of(each)) / whole)
  const byBorrower = [...Map.groupBy(judged, ({ loan }) => loan.borrower).values()]
    .map((of) => sum(of, ({ loan }) => loan.outstanding))
    .sort((one, other) => other - one)
  const related = judged.filter(({ loan }) => loan.relation !== 'none')
  return {
    outstanding: inDollars(whole),
    loans: judged.length,
    borrowers: byBorrower.length,
    everLent,
    rate: weighted(({ loan }) => loan.rate),
    termDays: weighted(({ left }) => left),
    largest: [1, 5, 10].map(
      (most) =>
        share(
          sum(byBorrower.slice(0, most), (owed) => owed),
          whole,
        ) ?? 0,
    ),
    related:
      share(
        sum(related, ({ loan }) => loan.outstanding),
        whole,
      ) ?? 0,
  }
}

/** Book, arrears, years, expected loss and counted interest, from all rows on a day. */
export const sumsOf = async (pool: Queryable, today: string) => {
  const loans = await readLoans(pool)
  const lines = await readLines(pool)
  const judged = loans
    .filter(({ status }) => status === 'ACTIVE' || status === 'DEFAULTED')
    .map((loan) => judge(loan, lines, today))
  const whole = sum(judged, ({ loan }) => loan.outstanding)
  const buckets = Object.entries(expectedLossShares).map(([bucket, lost]) => {
    const of = judged.filter((each) => each.bucket === bucket)
    const outstanding = sum(of, ({ loan }) => loan.outstanding)
    return { bucket, lost, loans: of.length, outstanding, overdue: sum(of, (each) => each.overdue) }
  })
  const years = [
    ...Map.groupBy(loans, ({ lentOn, takenOver }) => `${lentOn.slice(0, 4)} ${takenOver ? 0 : 1}`),
  ]
    .sort(([one], [other]) => other.localeCompare(one))
    .map(([year, of]) => ({
      year: Number(year.slice(0, 4)),
      takenOver: year.endsWith('0'),
      loans: of.length,
      disbursed: inDollars(sum(of, (each) => each.lent)),
      defaults: of.filter(({ defaultedOn }) => defaultedOn).length,
      exposure: inDollars(sum(of, ({ exposure }) => exposure)),
    }))
  return {
    book: bookOf(judged, loans.length),
    arrears: {
      buckets: buckets.map(({ lost: _, outstanding, overdue, ...each }) => ({
        ...each,
        outstanding: inDollars(outstanding),
        overdue: inDollars(overdue),
      })),
      risk30: share(
        sum(
          judged.filter(({ days }) => days > 30),
          ({ loan }) => loan.outstanding,
        ),
        whole,
      ),
    },
    years,
    expectedLoss: inDollars(
      Math.ceil(sum(buckets, (each) => each.outstanding * each.lost) / 10_000),
    ),
    countedInterest: Math.floor((sum(judged, ({ interest }) => interest) * 9_000) / 10_000),
    losses: {
      writtenOff: inDollars(sum(loans, ({ writtenOff }) => writtenOff)),
      recovered: inDollars(sum(loans, ({ recovered }) => recovered)),
    },
  }
}
