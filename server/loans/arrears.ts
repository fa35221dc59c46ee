/** The daily count of days past due, and the defaults that follow from it. */
import { DEFAULT_DAYS } from '@pool/contract/arrears'
import type { Cents } from '@pool/contract/money'
import { Refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import { signEntry } from '../audit/entry.ts'
import { SYSTEM } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Schema } from '../db/schema.ts'
import { beginOf, bucketOf, TODAY, UNPAID } from './unpaid.ts'

/** Loans that owe something, each with the due day of its oldest instalment past due. */
export const late = (tolerance: Cents) => sql`
  SELECT i.loan_id, min(i.due_on) AS due_on
  FROM loan_instalments AS i LEFT JOIN loan_defaults AS f ON f.loan_id = i.loan_id
  WHERE i.due_on < ${TODAY} AND NOT i.replaced AND (i.principal_paid < i.principal OR i.interest_paid < i.interest)
    AND ${UNPAID} > ${tolerance}
  GROUP BY i.loan_id`

/**
 * Writes a move for each loan whose bucket changed since its last one (docs/product.md 5.28), by
 * due days and value dates. Returns their number. A second run of a day writes nothing.
 */
export const countArrears = (db: Kysely<Schema>, tolerance: Cents): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    await sql`SET LOCAL statement_timeout = '5min'`.execute(transaction)
    const { numAffectedRows } = await sql`
      WITH late AS MATERIALIZED (${late(tolerance)}), last AS MATERIALIZED (
        SELECT DISTINCT ON (loan_id) loan_id, number, bucket FROM loan_moves ORDER BY loan_id, number DESC
      ), counted AS (
        SELECT l.id, l.outstanding, coalesce(${TODAY} - late.due_on, 0) AS days, late.due_on,
          coalesce(last.number, 0) AS number, coalesce(last.bucket, 'current') AS bucket
        FROM loans AS l LEFT JOIN late ON late.loan_id = l.id LEFT JOIN last ON last.loan_id = l.id
        WHERE l.status IN ('ACTIVE', 'DEFAULTED')
      ), moved AS (SELECT *, ${bucketOf(sql`days`)} AS now FROM counted)
      INSERT INTO loan_moves (loan_id, number, bucket, moved_on, days_past_due, outstanding)
      SELECT id, number + 1, now,
        CASE WHEN ${beginOf(sql`now`)} > ${beginOf(sql`bucket`)} THEN due_on + ${beginOf(sql`now`)}
        ELSE coalesce(greatest(
          (SELECT max(value_on) FROM loan_repayments WHERE loan_id = moved.id AND NOT reversed),
          (SELECT max(starts_on) FROM loan_restructurings WHERE loan_id = moved.id)), ${TODAY}) END,
        days, outstanding
      FROM moved WHERE now <> bucket ON CONFLICT DO NOTHING`.execute(transaction)
    return Number(numAffectedRows ?? 0)
  })

/** Most defaults that are posted at once. */
const AT_ONCE = 500

/** Refusals of a loan that was repaid or put in default meanwhile, and of a moment. */
const PASSING = ['loanIs', 'proposalClosed', 'busy', 'unavailable', 'outcomeUnknown']

/**
 * Puts active loans in default that are more than 90 days past due, each once. Returns their
 * number. One that a repayment reaches first stays active.
 */
export const postDefaults = async ({
  db,
  keys,
  ledger,
  config,
}: Pick<Context, 'db' | 'keys' | 'ledger' | 'config'>): Promise<number> => {
  const tolerance = config.loanTolerance
  const { rows } = await sql<{ id: string; days: number }>`
    SELECT l.id, ${TODAY} - late.due_on AS days
    FROM (${late(tolerance)}) AS late JOIN loans AS l ON l.id = late.loan_id
    WHERE l.status = 'ACTIVE' AND ${TODAY} - late.due_on > ${DEFAULT_DAYS} ORDER BY l.id`.execute(
    db,
  )
  let posted = 0
  const failures: unknown[] = []
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const outcomes = await Promise.allSettled(
      rows.slice(from, from + AT_ONCE).map(({ id: loanId, days }) =>
        ledger.post({
          ...{ movement: 'loan_defaulted', id: newId(), loanId, reason: 'daysPastDue', tolerance },
          entry: signEntry(keys, {
            by: SYSTEM,
            action: 'loan.defaulted',
            subject: { type: 'loan', id: loanId },
            after: { reason: 'daysPastDue', daysPastDue: days },
          }),
        }),
      ),
    )
    for (const outcome of outcomes)
      if (outcome.status === 'fulfilled') posted += 1
      else if (!(outcome.reason instanceof Refusal && PASSING.includes(outcome.reason.code)))
        failures.push(outcome.reason)
  }
  if (failures.length > 0) throw failures[0]
  return posted
}
