/** The rows of loans that movements are decided by, locked, and written as a group changed them. */
import { type Cents, cents } from '@pool/contract/base/money'
import { type Accruing, type Owed, owedOfLine, type Part } from '@pool/contract/lending/repayments'
import type { RowsToWrite, Statement, StateReading } from './movement.ts'

type Instalment = {
  readonly number: number
  /** ISO text. */
  readonly dueOn: string
  readonly principal: bigint
  readonly interest: bigint
  readonly principalPaid: bigint
  readonly interestPaid: bigint
  /** Set by the group: its row is to be added, or was ended by new terms. */
  readonly isNew?: true
  readonly isReplaced?: true
}

/** A locked loan. */
export type LoanState = {
  readonly status: string
  readonly borrowerId: string
  readonly principal: bigint
  /** The part of the principal that investors' principal funds. The rest is capital. */
  readonly fromInvestors: bigint
  readonly outstanding: bigint
  /** The accounts of the borrower's person. None of them takes a step of the loan. */
  readonly ownerIds: readonly string[]
  /** ISO text. Null before. */
  readonly disbursedOn: string | null
  /** Null unless it is or was in default. */
  readonly defaultedOn: string | null
  /** The newest value date of its repayments. */
  readonly lastPaidOn: string | null
  readonly writtenOff: bigint
  readonly recovered: bigint
  readonly accruing: Accruing
  /** The lines in force. */
  readonly instalments: readonly Instalment[]
  /** Set if the group changed it. */
  readonly isChanged?: true
}

export type LoanStates = Map<string, LoanState>

type LockedLoan = Omit<LoanState, 'instalments' | 'accruing' | 'isChanged'> &
  Omit<Accruing, 'from' | 'carried' | 'stopped'> & {
    readonly id: string
    readonly from: string | null
    readonly firstNumber: number | null
    readonly carriedInterest: bigint | null
    readonly stoppedNumber: number | null
    readonly stoppedInterest: bigint | null
  }

/** By id, so that two processes cannot deadlock. */
const LOCK_LOANS = `
SELECT id FROM loans WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`

/** Read once they are locked, as a wait for the lock reads only the locked table anew. */
const LOANS = `
SELECT l.id, l.status, l.borrower_id AS "borrowerId", l.principal, l.from_investors AS "fromInvestors", l.outstanding, coalesce(accounts_of(b.user_id), '{}') AS "ownerIds", d.disbursed_on::text AS "disbursedOn",
  f.defaulted_on::text AS "defaultedOn", l.written_off AS "writtenOff", l.recovered,
  coalesce(r.starts_on, d.disbursed_on)::text AS "from", r.starts_as AS "fromAs", coalesce(r.rate_basis_points, l.rate_basis_points) AS "rateBasisPoints",
  coalesce(r.day_count, l.day_count) AS "dayCount", coalesce(r.period, l.period) AS period, coalesce(r.due_day, l.due_day) AS "dueDay", r.first_number AS "firstNumber", r.interest AS "carriedInterest",
  f.stopped_number AS "stoppedNumber", f.stopped_interest AS "stoppedInterest",
  (SELECT max(value_on)::text FROM loan_repayments WHERE loan_id = l.id AND NOT reversed) AS "lastPaidOn"
FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id LEFT JOIN loan_disbursements AS d ON d.loan_id = l.id
LEFT JOIN loan_defaults AS f ON f.loan_id = l.id
LEFT JOIN LATERAL (
  SELECT starts_on, starts_as, rate_basis_points, day_count, period, due_day, first_number, interest FROM loan_restructurings WHERE loan_id = l.id ORDER BY first_number DESC LIMIT 1
) AS r ON true
WHERE l.id = ANY ($1::uuid[])`

const INSTALMENTS = `
SELECT loan_id AS "loanId", number, due_on::text AS "dueOn", principal, interest,
  principal_paid AS "principalPaid", interest_paid AS "interestPaid"
FROM loan_instalments WHERE loan_id = ANY ($1::uuid[]) AND NOT replaced ORDER BY loan_id, number`

const SET_LOANS: Statement = {
  name: 'set_loans',
  text: `
UPDATE loans AS l SET status = s.status, outstanding = s.outstanding, written_off = s.written_off, recovered = s.recovered
FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) AS s (id, status, outstanding, written_off, recovered)
WHERE l.id = s.id`,
}

const ADD_INSTALMENTS: Statement = {
  name: 'loan_instalments',
  text: `
INSERT INTO loan_instalments (loan_id, number, due_on, principal, interest, principal_paid, interest_paid)
SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::date[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])`,
}

const PAY_INSTALMENTS: Statement = {
  name: 'pay_instalments',
  text: `
UPDATE loan_instalments AS i SET principal_paid = p.principal, interest_paid = p.interest, replaced = p.replaced
FROM unnest($1::uuid[], $2::smallint[], $3::bigint[], $4::bigint[], $5::boolean[]) AS p (loan_id, number, principal, interest, replaced)
WHERE i.loan_id = p.loan_id AND i.number = p.number`,
}

/** The loans of a group, locked. */
export const loans: StateReading<{ readonly loanId: string }, LoanStates> = {
  read: async (query, operations) => {
    const ids = [[...new Set(operations.map(({ loanId }) => loanId))]]
    const [, found, instalments] = await Promise.all([
      query('lock_loans', LOCK_LOANS, ids),
      query<LockedLoan>('read_loans', LOANS, ids),
      query<Instalment & { loanId: string }>('read_instalments', INSTALMENTS, ids),
    ])
    const byLoan = Map.groupBy(instalments, ({ loanId }) => loanId)
    return new Map(
      found.map(
        ({
          id,
          from,
          fromAs,
          rateBasisPoints,
          dayCount,
          period,
          dueDay,
          firstNumber,
          carriedInterest,
          stoppedNumber,
          stoppedInterest,
          ...loan
        }) => [
          id,
          {
            ...loan,
            accruing: {
              from: from ?? '',
              fromAs,
              rateBasisPoints,
              dayCount,
              period,
              dueDay,
              ...(firstNumber !== null && {
                carried: { number: firstNumber, interest: cents(carriedInterest ?? 0n) },
              }),
              ...(loan.defaultedOn !== null && {
                stopped: {
                  on: loan.defaultedOn,
                  earned:
                    stoppedNumber === null
                      ? undefined
                      : { number: stoppedNumber, interest: cents(stoppedInterest ?? 0n) },
                },
              }),
            },
            instalments: byLoan.get(id) ?? [],
          },
        ],
      ),
    )
  },
  write: (states): readonly RowsToWrite[] => {
    const changed = [...states].filter(([, { isChanged }]) => isChanged)
    const lines = changed.flatMap(([id, { instalments }]) =>
      instalments.map((each) => ({ id, ...each })),
    )
    return [
      {
        into: SET_LOANS,
        rows: changed.map(([id, { status, outstanding, writtenOff, recovered }]) => [
          id,
          status,
          outstanding,
          writtenOff,
          recovered,
        ]),
      },
      {
        into: ADD_INSTALMENTS,
        rows: lines
          .filter(({ isNew }) => isNew)
          .map(({ id, number, dueOn, principal, interest, principalPaid, interestPaid }) => [
            id,
            number,
            dueOn,
            principal,
            interest,
            principalPaid,
            interestPaid,
          ]),
      },
      {
        into: PAY_INSTALMENTS,
        rows: lines
          .filter(({ isNew }) => !isNew)
          .map(({ id, number, principalPaid, interestPaid, isReplaced }) => [
            id,
            number,
            principalPaid,
            interestPaid,
            isReplaced === true,
          ]),
      },
    ]
  },
}

/**
 * The operator's part of what a loan owes, rounded down to the cent. It follows from the sum alone,
 * so that repayments and reversals in any order end where they began (docs/decisions/063).
 */
export const capitalIn = (
  { principal, fromInvestors }: Pick<LoanState, 'principal' | 'fromInvestors'>,
  outstanding: bigint,
): Cents => cents(((principal - fromInvestors) * outstanding) / principal)

/** The unpaid parts of a loan's instalments, without interest from after its default. */
export const owedOf = ({ instalments, accruing }: LoanState): Owed[] =>
  instalments
    .filter(({ isReplaced }) => !isReplaced)
    .map((line) => owedOfLine(line, accruing.stopped))

/** The loan after its instalments were paid, or with `sign` −1 after that was taken back. */
export const withParts = (
  loan: LoanState,
  parts: readonly Part[],
  sign: 1n | -1n = 1n,
): LoanState => {
  const byNumber = new Map(parts.map((part) => [part.number, part]))
  const paid = (part: Cents | undefined) => sign * (part ?? 0n)
  const instalments = loan.instalments.map((each) => {
    const part = byNumber.get(each.number)
    return {
      ...each,
      principalPaid: each.principalPaid + paid(part?.principal),
      interestPaid: each.interestPaid + paid(part?.interest),
    }
  })
  const outstanding =
    loan.outstanding - parts.reduce((sum, { principal }) => sum + sign * principal, 0n)
  const owing = loan.defaultedOn === null ? 'ACTIVE' : 'DEFAULTED'
  return {
    ...loan,
    instalments,
    outstanding,
    status: outstanding > 0n ? owing : 'REPAID',
    isChanged: true,
  }
}
