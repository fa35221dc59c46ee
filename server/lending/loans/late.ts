/** The moves, the default and the new terms of a loan, for its page. */
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { LoanStory } from '@pool/contract/lending/loans'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

const dollars = (amount: bigint) => dollarsFromCents(cents(amount))

/** The moves of a loan between buckets, the oldest first. */
export const readMoves = async (db: Kysely<Schema>, id: string): Promise<LoanStory['moves']> => {
  type MoveRow = Omit<LoanStory['moves'][number], 'outstanding' | 'at'> & {
    readonly outstanding: bigint
    readonly at: Date
  }
  const { rows } = await sql<MoveRow>`
    SELECT bucket, moved_on::text AS "movedOn", days_past_due AS "daysPastDue", outstanding, created_at AS at
    FROM loan_moves WHERE loan_id = ${id} ORDER BY number`.execute(db)
  return rows.map(({ outstanding, at, ...move }) => ({
    ...move,
    outstanding: dollars(outstanding),
    at: timestampFromDate(at),
  }))
}

/** The default of a loan. Null without one. */
export const readDefault = async (
  db: Kysely<Schema>,
  id: string,
): Promise<LoanStory['default']> => {
  type DefaultRow = Omit<NonNullable<LoanStory['default']>, 'exposure' | 'stopped'> & {
    readonly exposure: bigint
    readonly number: number | null
    readonly interest: bigint | null
  }
  const { rows } = await sql<DefaultRow>`
    SELECT defaulted_on::text AS on, f.reason, days_past_due AS "daysPastDue", principal + interest AS exposure, p.reason AS why,
      stopped_number AS number, stopped_interest AS interest
    FROM loan_defaults AS f LEFT JOIN proposals AS p ON p.id = f.id WHERE loan_id = ${id}`.execute(
    db,
  )
  const [row] = rows
  if (!row) return null
  const { number, interest, exposure, ...found } = row
  const stopped = number === null ? null : { number, interest: dollars(interest ?? 0n) }
  return { ...found, exposure: dollars(exposure), stopped }
}

type NewTerms = LoanStory['restructurings'][number]

/** The new terms of a loan, the oldest first. */
export const readRestructurings = async (
  db: Kysely<Schema>,
  id: string,
): Promise<readonly NewTerms[]> => {
  type NewTermsRow = Omit<NewTerms, 'principal' | 'interest'> &
    Readonly<Record<'principal' | 'interest', bigint>>
  const { rows } = await sql<NewTermsRow>`
    SELECT starts_on::text AS "startsOn", starts_as AS "startsAs", first_number AS "firstNumber", r.principal, r.interest, distressed AS "isDistressed",
      rate_basis_points AS "rateBasisPoints", schedule, period, day_count AS "dayCount", instalments, due_day AS "dueDay", first_due_on::text AS "firstDueOn", p.reason AS why
    FROM loan_restructurings AS r JOIN proposals AS p ON p.id = r.id WHERE loan_id = ${id} ORDER BY first_number`.execute(
    db,
  )
  return rows.map(({ principal, interest, ...terms }) => ({
    ...terms,
    principal: dollars(principal),
    interest: dollars(interest),
  }))
}
