import { centsFromDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import * as validation from '@pool/contract/base/validation'
import type { AskedPlan } from '@pool/contract/money/planVersions'
import { type Kysely, sql } from 'kysely'
import { violatedConstraint } from '../../base/db/errors.ts'
import type { Schema } from '../../base/db/schema.ts'

const orNull = (dollars: number | null) => (dollars === null ? null : centsFromDollars(dollars))

/** The columns of asked terms. Amounts are in cents. */
const rowOf = (terms: AskedPlan) => ({
  duration_days: terms.durationDays,
  rate_basis_points: terms.rateBasisPoints,
  least: centsFromDollars(terms.least),
  most: orNull(terms.most),
  capacity: orNull(terms.capacity),
  least_runway: terms.leastRunway,
  is_open: terms.isOpen,
  starts_at: new Date(terms.startsAt),
})

/**
 * Refuses terms that cannot become a version: `validation`, `planMomentPast`, `planMomentTaken`,
 * and `proposalNeedless` for those of the version before it.
 */
export const requirePlan = async (db: Kysely<Schema>, terms: AskedPlan): Promise<void> => {
  const { starts_at, ...row } = rowOf(terms)
  const { least, most, capacity } = row
  if ((most !== null && most < least) || (capacity !== null && capacity < least))
    throw refusal('validation', { message: validation.planBounds, field: 'most' })
  // An approval may have waited for open groups, which opened investments by the version before.
  const { rows } = await sql<{ past: boolean; far: boolean; taken: boolean; same: boolean }>`
    SELECT ${starts_at}::timestamptz < clock_timestamp() AS past, ${starts_at}::timestamptz > now() + interval '1 year' AS far,
      EXISTS (SELECT FROM plans WHERE duration_days = ${row.duration_days} AND starts_at = ${starts_at}) AS taken,
      coalesce((
        SELECT (rate_basis_points, least, most, capacity, least_runway, is_open)
          IS NOT DISTINCT FROM (${row.rate_basis_points}::integer, ${least}::bigint, ${most}::bigint, ${capacity}::bigint, ${row.least_runway}::integer, ${row.is_open}::boolean)
        FROM plans WHERE duration_days = ${row.duration_days} AND starts_at < ${starts_at}
        ORDER BY starts_at DESC LIMIT 1), false) AS same`.execute(db)
  const [found] = rows
  if (found?.past) throw refusal('planMomentPast')
  if (found?.far) throw refusal('validation', { message: validation.planMoment, field: 'startsAt' })
  if (found?.taken) throw refusal('planMomentTaken')
  if (found?.same) throw refusal('proposalNeedless')
}

/**
 * Adds a version, which counts from its moment on. Its id is that of the proposal. Throws
 * `planMomentTaken`.
 */
export const addPlan = async (
  transaction: Kysely<Schema>,
  { id, terms }: { readonly id: string; readonly terms: AskedPlan },
): Promise<void> => {
  await transaction
    .insertInto('plans')
    .values({ id, ...rowOf(terms) })
    .execute()
    .catch((error: unknown) => {
      throw violatedConstraint(error) === 'plans_start_once' ? refusal('planMomentTaken') : error
    })
}
