import { cents, dollarsFromCents } from '@pool/contract/base/money'
import {
  type AdminFigures,
  FIGURE_DAYS,
  FIGURE_MONTHS,
  type UserFigures,
} from '@pool/contract/reports/figures'
import { type TransactionStatus, typesWith } from '@pool/contract/requests/transactions'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { tallied } from '../../base/lists/tallies.ts'
import { lockedBalances, poolBalance } from '../../ledger/families/accounts.ts'

/** The first day of the figures, and all their days as a relation `days (day)`, in UTC. */
const firstDay = sql`((now() AT TIME ZONE 'UTC')::date - ${sql.lit(FIGURE_DAYS - 1)})`
const days = sql`(SELECT ${firstDay} + n AS day FROM generate_series(0, ${sql.lit(FIGURE_DAYS - 1)}) AS n) AS days`
const dayOf = (moment: string) => sql`(${sql.ref(moment)} AT TIME ZONE 'UTC')::date`

/** `2026-01-31` → `[2026, 1, 31]`. */
const partsOf = (date: string): number[] => date.split('-').map(Number)
const dollars = (amount: bigint): number => dollarsFromCents(cents(amount))

const types = (facts: Parameters<typeof typesWith>[0]) =>
  sql.join(typesWith(facts).map((type) => sql.lit(type)))
const out = types({ direction: 'out' })
/** An amount on its way leaves once it has arrived. One that was given back never left. */
const changedAt = sql`CASE WHEN type = 'withdrawal' THEN completed_at ELSE updated_at END`
/** All that changes the total value but interest. */
const valued = types({ isValued: true })

/** The cents of a user's transactions of one type in some states. */
const sumOf = async (
  db: Kysely<Schema>,
  userId: string,
  type: 'deposit' | 'withdrawal',
  statuses: readonly TransactionStatus[],
): Promise<bigint> => {
  const { amount } = await db
    .selectFrom('transactions')
    .select(sql<bigint>`coalesce(sum(amount), 0)::bigint`.as('amount'))
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .where('status', 'in', statuses)
    .executeTakeFirstOrThrow()
  return amount
}

/** Interest of a user's active investments, in cents. */
const interestToCome = async (db: Kysely<Schema>, userId: string): Promise<bigint> => {
  const { interest } = await db
    .selectFrom('investments')
    .select(sql<bigint>`coalesce(sum(interest), 0)::bigint`.as('interest'))
    .where('user_id', '=', userId)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirstOrThrow()
  return interest
}

/**
 * Total value of a user by day, from the first change on: deposits, reversals, paid withdrawals,
 * losses, recoveries, and interest from the day on which it was paid.
 */
const totalsByDay = async (db: Kysely<Schema>, userId: string): Promise<UserFigures['totals']> => {
  const { rows } = await sql<{ day: string; total: bigint }>`
    WITH changes AS (
      SELECT ${changedAt} AS at, CASE WHEN type IN (${out}) THEN -amount ELSE amount END AS amount
      FROM transactions WHERE user_id = ${userId} AND type IN (${valued})
        AND status IN ('APPROVED', 'REVERSED', 'PROCESSING', 'COMPLETED') AND (type <> 'withdrawal' OR status = 'COMPLETED')
      UNION ALL
      SELECT updated_at, interest FROM investments WHERE user_id = ${userId} AND status = 'COMPLETED'
    ), daily AS (
      SELECT ${dayOf('at')} AS day, sum(amount) AS change FROM changes GROUP BY 1
    ), days AS (
      SELECT first + n AS day
      FROM (SELECT min(day) AS first FROM daily) AS start, generate_series(0, (now() AT TIME ZONE 'UTC')::date - first) AS n
    )
    SELECT day::text, (sum(coalesce(change, 0)) OVER (ORDER BY day))::bigint AS total
    FROM days LEFT JOIN daily USING (day) ORDER BY day`.execute(db)
  return rows.map(({ day, total }) => ({ day: partsOf(day), total: dollars(total) }))
}

/** Interest paid to a user by month. */
const interestByMonth = async (
  db: Kysely<Schema>,
  userId: string,
): Promise<UserFigures['interest']> => {
  const { rows } = await sql<{ month: string; amount: bigint }>`
    WITH months AS (
      SELECT date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => n) AS month
      FROM generate_series(0, ${sql.lit(FIGURE_MONTHS - 1)}) AS n
    ), monthly AS (
      SELECT date_trunc('month', updated_at AT TIME ZONE 'UTC') AS month, sum(interest) AS amount
      FROM investments WHERE user_id = ${userId} AND status = 'COMPLETED' GROUP BY 1
    )
    SELECT to_char(month, 'YYYY-MM') AS month, coalesce(amount, 0)::bigint AS amount
    FROM months LEFT JOIN monthly USING (month) ORDER BY months.month`.execute(db)
  return rows.map(({ month, amount }) => ({ month: partsOf(month), amount: dollars(amount) }))
}

/**
 * Figures of one user, in one snapshot. Locked amounts come from the ledger, past days and months
 * from the user's transactions and investments.
 */
export const readUserFigures = (db: Kysely<Schema>, userId: string): Promise<UserFigures> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const { invested, held } = await lockedBalances(snapshot, userId)
      return {
        invested: dollars(invested),
        interestToCome: dollars(await interestToCome(snapshot, userId)),
        held: dollars(held),
        onTheWay: dollars(await sumOf(snapshot, userId, 'withdrawal', ['APPROVED', 'PROCESSING'])),
        depositsToCome: dollars(await sumOf(snapshot, userId, 'deposit', ['PENDING'])),
        totals: await totalsByDay(snapshot, userId),
        interest: await interestByMonth(snapshot, userId),
      }
    })

/**
 * Figures of all users, from the daily tallies, and the ledger's sum on the way. Counts invested
 * principal back from now, so only the shown days are read.
 */
export const readAdminFigures = async (db: Kysely<Schema>): Promise<AdminFigures> => {
  const { rows } = await sql<{
    day: string
    deposits: bigint
    withdrawals: bigint
    atWork: bigint
  }>`
    WITH daily AS (
      SELECT day,
        sum(cents) FILTER (WHERE noun = 'decisions' AND kind = 'deposit') AS deposits,
        sum(cents) FILTER (WHERE noun = 'decisions' AND kind = 'withdrawal') AS withdrawals,
        coalesce(sum(cents) FILTER (WHERE noun = 'investments'), 0) - coalesce(sum(cents) FILTER (WHERE noun = 'maturities'), 0) AS change
      FROM tallies WHERE noun IN ('decisions', 'investments', 'maturities') AND day >= ${firstDay} GROUP BY day
    )
    SELECT day::text, coalesce(deposits, 0)::bigint AS deposits, coalesce(withdrawals, 0)::bigint AS withdrawals, (
        ${tallied('cents', { noun: 'investments', statuses: ['ACTIVE'] })}
        - coalesce(sum(change) OVER (ORDER BY day ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 0)
      )::bigint AS "atWork"
    FROM ${days} LEFT JOIN daily USING (day) ORDER BY day`.execute(db)
  return {
    days: rows.map((row) => ({
      day: partsOf(row.day),
      deposits: dollars(row.deposits),
      withdrawals: dollars(row.withdrawals),
      atWork: dollars(row.atWork),
    })),
    onTheWay: dollars(await poolBalance(db, 'outgoing')),
  }
}
