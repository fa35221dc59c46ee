/** The rows of loans that movements are decided by, locked, and written as a group changed them. */
import { type Cents, cents } from '@pool/contract/money'
import type { Owed, Part } from '@pool/contract/repayments'
import type { Reading, Rows, Statement } from './movement.ts'

type Instalment = {
  readonly number: number
  /** ISO text. */
  readonly dueOn: string
  readonly principal: bigint
  readonly interest: bigint
  readonly principalPaid: bigint
  readonly interestPaid: bigint
}

/** A locked loan. */
export type LoanState = {
  readonly status: string
  readonly principal: bigint
  readonly outstanding: bigint
  /** The account of its borrower. */
  readonly userId: string | null
  /** ISO text. Null before. */
  readonly disbursedOn: string | null
  readonly instalments: readonly Instalment[]
  /** Set if the group changed it: what its rows need. */
  readonly changed?: 'new' | 'paid'
}

export type LoanStates = Map<string, LoanState>

/** By id, so that two processes cannot deadlock. */
const LOANS = `
SELECT l.id, l.status, l.principal, l.outstanding, b.user_id AS "userId", d.disbursed_on::text AS "disbursedOn"
FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id LEFT JOIN loan_disbursements AS d ON d.loan_id = l.id
WHERE l.id = ANY ($1::uuid[]) ORDER BY l.id FOR NO KEY UPDATE OF l`

const INSTALMENTS = `
SELECT loan_id AS "loanId", number, due_on::text AS "dueOn", principal, interest,
  principal_paid AS "principalPaid", interest_paid AS "interestPaid"
FROM loan_instalments WHERE loan_id = ANY ($1::uuid[]) ORDER BY loan_id, number`

const SET_LOANS: Statement = {
  name: 'set_loans',
  text: `
UPDATE loans AS l SET status = s.status, outstanding = s.outstanding
FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS s (id, status, outstanding) WHERE l.id = s.id`,
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
UPDATE loan_instalments AS i SET principal_paid = p.principal, interest_paid = p.interest
FROM unnest($1::uuid[], $2::smallint[], $3::bigint[], $4::bigint[]) AS p (loan_id, number, principal, interest)
WHERE i.loan_id = p.loan_id AND i.number = p.number`,
}

/** The loans of a group. Their instalments are read once they are locked. */
export const loans: Reading<{ readonly loanId: string }, LoanStates> = {
  read: async (query, operations) => {
    const ids = [[...new Set(operations.map(({ loanId }) => loanId))]]
    const [found, instalments] = await Promise.all([
      query<Omit<LoanState, 'instalments'> & { id: string }>('lock_loans', LOANS, ids),
      query<Instalment & { loanId: string }>('read_instalments', INSTALMENTS, ids),
    ])
    const byLoan = Map.groupBy(instalments, ({ loanId }) => loanId)
    return new Map(
      found.map(({ id, ...loan }) => [id, { ...loan, instalments: byLoan.get(id) ?? [] }]),
    )
  },
  write: (states): readonly Rows[] => {
    const changed = [...states].filter(([, { changed }]) => changed !== undefined)
    const lines = changed.flatMap(([id, { instalments, changed }]) =>
      instalments.map((each) => ({ id, isNew: changed === 'new', ...each })),
    )
    return [
      {
        into: SET_LOANS,
        rows: changed.map(([id, { status, outstanding }]) => [id, status, outstanding]),
      },
      {
        into: ADD_INSTALMENTS,
        rows: lines
          .filter(({ isNew }) => isNew)
          .map(({ id, number, dueOn, principal, interest, principalPaid, interestPaid }) => [
            ...[id, number, dueOn, principal, interest, principalPaid, interestPaid],
          ]),
      },
      {
        into: PAY_INSTALMENTS,
        rows: lines
          .filter(({ isNew }) => !isNew)
          .map(({ id, number, principalPaid, interestPaid }) => [
            ...[id, number, principalPaid, interestPaid],
          ]),
      },
    ]
  },
}

/** The unpaid parts of a loan's instalments. */
export const owedOf = ({ instalments }: LoanState): Owed[] =>
  instalments.map(({ number, dueOn, principal, principalPaid, interest, interestPaid }) => ({
    number,
    dueOn,
    principal: cents(principal - principalPaid),
    interest: cents(interest - interestPaid),
  }))

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
  return {
    ...loan,
    instalments,
    outstanding,
    status: outstanding > 0n ? 'ACTIVE' : 'REPAID',
    changed: loan.changed ?? 'paid',
  }
}
