/** The daily count of days past due, and the defaults that follow from it. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Cents } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import { DEFAULT_DAYS } from '@pool/contract/lending/arrears'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { OnLedger, WithConfig } from '../../http/context.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'
import { beginOf, bucketOf, TODAY, UNPAID } from './unpaid.ts'

/**
 * Loans that owe something, each with the due day of its oldest instalment past due: all, or those
 * of a relation with their ids.
 */
export const late = (tolerance: Cents, among?: RawBuilder<unknown>) => sql`
  SELECT i.loan_id, min(i.due_on) AS due_on
  FROM loan_instalments AS i LEFT JOIN loan_defaults AS f ON f.loan_id = i.loan_id
  WHERE i.due_on < ${TODAY} AND NOT i.replaced AND (i.principal_paid < i.principal OR i.interest_paid < i.interest)
    AND ${UNPAID} > ${tolerance} ${among ? sql`AND i.loan_id IN (SELECT id FROM ${among})` : sql``}
  GROUP BY i.loan_id`

/** Loans of one statement, which rests for so many times what it took: money has the processors. */
const COUNTED_AT_ONCE = 2_000
const RESTS = 9

type Counted = { readonly last: string | null; readonly loans: number; readonly moved: number }

const countAfter = async (
  db: Kysely<Schema>,
  tolerance: Cents,
  { after, atOnce }: { readonly after: string | null; readonly atOnce: number },
): Promise<Counted> => {
  const { rows } = await sql<Counted>`
    WITH part AS MATERIALIZED (
      SELECT id, outstanding FROM loans
      WHERE status IN ('ACTIVE', 'DEFAULTED') AND (${after}::uuid IS NULL OR id > ${after}::uuid)
      ORDER BY id LIMIT ${sql.lit(atOnce)}
    ), late AS MATERIALIZED (${late(tolerance, sql`part`)}), last AS MATERIALIZED (
      SELECT DISTINCT ON (loan_id) loan_id, number, bucket FROM loan_moves
      WHERE loan_id IN (SELECT id FROM part) ORDER BY loan_id, number DESC
    ), counted AS (
      SELECT l.id, l.outstanding, coalesce(${TODAY} - late.due_on, 0) AS days, late.due_on,
        coalesce(last.number, 0) AS number, coalesce(last.bucket, 'current') AS bucket
      FROM part AS l LEFT JOIN late ON late.loan_id = l.id LEFT JOIN last ON last.loan_id = l.id
    ), moved AS (SELECT *, ${bucketOf(sql`days`)} AS now FROM counted), written AS (
      INSERT INTO loan_moves (loan_id, number, bucket, moved_on, days_past_due, outstanding)
      SELECT id, number + 1, now,
        CASE WHEN ${beginOf(sql`now`)} > ${beginOf(sql`bucket`)} THEN due_on + ${beginOf(sql`now`)}
        ELSE coalesce(greatest(
          (SELECT max(value_on) FROM loan_repayments WHERE loan_id = moved.id AND NOT reversed),
          (SELECT max(starts_on) FROM loan_restructurings WHERE loan_id = moved.id)), ${TODAY}) END,
        days, outstanding
      FROM moved WHERE now <> bucket ON CONFLICT DO NOTHING RETURNING loan_id
    )
    SELECT (SELECT id FROM part ORDER BY id DESC LIMIT 1) AS last, (SELECT count(*) FROM part)::int AS loans,
      (SELECT count(*) FROM written)::int AS moved`.execute(db)
  return rows[0] ?? { last: null, loans: 0, moved: 0 }
}

/**
 * Writes a move for each loan whose bucket changed since its last one (docs/product.md 5.28), some
 * loans `atOnce`. Returns the number of moves. A second run of a day writes none.
 */
export const countArrears = async (
  db: Kysely<Schema>,
  tolerance: Cents,
  atOnce = COUNTED_AT_ONCE,
): Promise<number> => {
  let moved = 0
  let after: string | null = null
  for (;;) {
    const began = performance.now()
    const part: Counted = await countAfter(db, tolerance, { after, atOnce })
    moved += part.moved
    if (part.loans < atOnce) return moved
    after = part.last
    await wait((performance.now() - began) * RESTS)
  }
}

/** Most defaults that are posted at once. */
const AT_ONCE = 500

/** Refusals of a loan that was repaid or put in default meanwhile, and of a moment. */
const RETRYABLE = ['loanIs', 'proposalClosed', 'busy', 'unavailable', 'outcomeUnknown']

/**
 * Puts active loans in default that are more than 90 days past due, each once. Returns their
 * number. One that a repayment reaches first stays active.
 */
export const postDefaults = async ({
  db,
  keys,
  ledger,
  config,
}: OnLedger & WithConfig): Promise<number> => {
  const tolerance = config.loanTolerance
  const { rows } = await sql<{ id: string }>`
    SELECT l.id FROM (${late(tolerance)}) AS late JOIN loans AS l ON l.id = late.loan_id
    WHERE l.status = 'ACTIVE' AND ${TODAY} - late.due_on > ${DEFAULT_DAYS} ORDER BY l.id`.execute(
    db,
  )
  let posted = 0
  const failures: unknown[] = []
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const outcomes = await Promise.allSettled(
      rows.slice(from, from + AT_ONCE).map(({ id: loanId }) =>
        ledger.post({
          movement: 'loan_defaulted',
          id: newId(),
          loanId,
          reason: 'daysPastDue',
          tolerance,
          entry: signEntry(keys, {
            by: SYSTEM,
            action: 'loan.defaulted',
            subject: { type: 'loan', id: loanId },
            after: { reason: 'daysPastDue', daysPastDue: DEFAULT_DAYS + 1 },
          }),
        }),
      ),
    )
    for (const outcome of outcomes)
      if (outcome.status === 'fulfilled') posted += 1
      else if (!(outcome.reason instanceof Refusal && RETRYABLE.includes(outcome.reason.code)))
        failures.push(outcome.reason)
  }
  if (failures.length > 0) throw failures[0]
  return posted
}
