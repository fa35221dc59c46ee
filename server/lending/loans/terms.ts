/** A loan with its terms, as its row has them. */
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { type LoanDay, loanDay } from '@pool/contract/lending/loanDays'
import type { LoanStatus } from '@pool/contract/lending/loans'
import type { Terms } from '@pool/contract/lending/schedules'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

type TermsRow = {
  readonly principal: bigint
  readonly rateBasisPoints: number
  readonly schedule: Terms['kind']
  readonly period: Terms['period']
  readonly dayCount: Terms['dayCount']
  readonly instalments: number
  readonly dueDay: number
  /** ISO text, as the next one. */
  readonly disburseOn: string
  readonly firstDueOn: string
}

/** The columns of `loans AS l` that terms are read from. */
const TERMS = sql`l.principal, l.rate_basis_points AS "rateBasisPoints", l.schedule, l.period, l.day_count AS "dayCount",
  l.instalments, l.due_day AS "dueDay", l.disburse_on::text AS "disburseOn", l.first_due_on::text AS "firstDueOn"`

const dayOf = (text: string): LoanDay => {
  const day = loanDay(text)
  if (!day) throw new RangeError(`${text} is no day of a loan`)
  return day
}

/** The terms of a row, from the planned day or from the real one. */
export const termsOf = (row: TermsRow, disbursedOn = row.disburseOn): Terms => ({
  kind: row.schedule,
  principal: cents(row.principal),
  rateBasisPoints: row.rateBasisPoints,
  period: row.period,
  dayCount: row.dayCount,
  instalments: row.instalments,
  dueDay: row.dueDay,
  disbursedOn: dayOf(disbursedOn),
  firstDueOn: dayOf(row.firstDueOn),
})

type LoanRow = TermsRow & {
  readonly id: string
  readonly status: LoanStatus
  readonly outstanding: bigint
  /** Cents of the principal that investors' principal funds. */
  readonly fromInvestors: bigint
  readonly borrowerId: string
  readonly borrower: string
  readonly userId: string | null
  /** The day on which two people approved it, and that on which it was taken over. ISO text. */
  readonly approvedOn: string | null
  readonly takenOverOn: string | null
}

/** A loan with its borrower. Throws `loanNotFound`. */
export const readLoan = async (db: Kysely<Schema>, id: string): Promise<LoanRow> => {
  const { rows } = await sql<LoanRow>`
    SELECT l.id, l.status, l.outstanding, l.from_investors AS "fromInvestors", l.borrower_id AS "borrowerId", b.name AS borrower, b.user_id AS "userId", ${TERMS},
      l.taken_over_on::text AS "takenOverOn", (SELECT min(utc_day(p.decided_at))::text FROM proposals AS p
        WHERE p.kind = 'APPROVE_LOAN' AND p.subject = l.id::text AND p.status = 'DONE') AS "approvedOn"
    FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id WHERE l.id = ${id}`.execute(db)
  const [loan] = rows
  if (!loan) throw refusal('loanNotFound')
  return loan
}

/** The part of investors' principal for entries and proposals, in dollars. Nothing without one. */
export const fundingOf = ({
  fromInvestors,
}: Pick<LoanRow, 'fromInvestors'>): { readonly fromInvestors?: number } =>
  fromInvestors > 0n ? { fromInvestors: dollarsFromCents(cents(fromInvestors)) } : {}
