import { type Cents, cents, dollarsFromCents, formatDollars } from '@pool/contract/base/money'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import { findWrongMonth } from '../archive/closings.ts'
import { holdMonths } from '../archive/months.ts'
import {
  findWrongClaim,
  findWrongDeposit,
  findWrongLoan,
  findWrongLossShare,
  findWrongPayout,
  findWrongTransfers,
  type Mismatch,
} from './causes.ts'

/** The result of recomputing the ledger. Amounts in cents. */
export type LedgerCheck = {
  readonly accounts: number
  readonly transfers: bigint
  /** Number of archived months. */
  readonly months: number
  /** The first fault of the archived months, as a sentence. */
  readonly wrongMonth?: string
  /** The first account whose balance is not the sum of its transfers and its closing balance. */
  readonly firstDifference?: {
    readonly accountId: bigint
    readonly ownerId: string
    readonly kind: string
    readonly balance: Cents
    readonly transfers: Cents
  }
  /** The first row that its transfers, transactions or wallet contradict. */
  readonly firstMismatch?: Mismatch
  /** The first tally that differs from a recount, of one day or of all days. */
  readonly firstMiscount?: {
    readonly name: string
    readonly kept: string
    readonly counted: string
  }
}

/** The finding as a sentence. Undefined when the ledger is whole. */
export const findingOf = ({
  wrongMonth,
  firstDifference,
  firstMismatch,
  firstMiscount,
}: LedgerCheck): string | undefined => {
  if (wrongMonth) return wrongMonth
  if (firstDifference) {
    const { accountId, kind, ownerId, balance, transfers } = firstDifference
    return `Account ${accountId} (${kind} of ${ownerId}) has the balance ${inDollars(balance)}, but its transfers come to ${inDollars(transfers)}.`
  }
  if (firstMismatch) {
    const { noun, id, status, contradiction } = firstMismatch
    return `The ${[noun, id, status, contradiction].filter(Boolean).join(' ')}.`
  }
  if (firstMiscount) {
    const { name, kept, counted } = firstMiscount
    return `The tally of ${name} is kept as ${kept}, but a recount comes to ${counted}.`
  }
  return undefined
}

const inDollars = (amount: Cents): string => formatDollars(dollarsFromCents(amount))

/**
 * Recomputes balances from closing balances, verified with `keys`, and transfers. Compares rows
 * with the movements that they must have caused, and recounts the tallies.
 */
export const checkLedger = async (db: Kysely<Schema>, keys?: Keys): Promise<LedgerCheck> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      // Many millions of transfers take longer than a request may.
      await sql`SET LOCAL statement_timeout = '15min'`.execute(snapshot)
      await holdMonths(snapshot)
      const counted = await sql<{ accounts: number; transfers: bigint; months: number }>`
        SELECT (SELECT count(*)::int FROM accounts) AS accounts, (SELECT count(*) FROM transfers) AS transfers, (SELECT count(*)::int FROM archived_months) AS months`.execute(
        snapshot,
      )
      const closing = await findWrongMonth(snapshot, keys)
      const [difference] = await differingAccounts(snapshot)
      const mismatch =
        (await findWrongTransfers(snapshot)) ??
        (await findWrongPayout(snapshot)) ??
        (await findWrongClaim(snapshot)) ??
        (await findWrongLoan(snapshot)) ??
        (await findWrongLossShare(snapshot)) ??
        (await findWrongDeposit(snapshot))
      const [miscount] = await miscountedTallies(snapshot)
      return {
        accounts: counted.rows[0]?.accounts ?? 0,
        transfers: counted.rows[0]?.transfers ?? 0n,
        months: counted.rows[0]?.months ?? 0,
        ...(closing !== undefined && { wrongMonth: closing }),
        ...(difference && { firstDifference: difference }),
        ...(mismatch && { firstMismatch: mismatch }),
        ...(miscount && { firstMiscount: miscount }),
      }
    })

const differingAccounts = async (db: Kysely<Schema>) => {
  const { rows } = await sql<{
    accountId: bigint
    ownerId: string
    kind: string
    balance: bigint
    transfers: bigint
  }>`
    SELECT a.id AS "accountId", a.owner_id AS "ownerId", a.kind, a.balance, (coalesce(t.amount, 0) + coalesce(c.amount, 0))::bigint AS transfers
    FROM accounts AS a
    LEFT JOIN closing_balances AS c ON c.account_id = a.id
    LEFT JOIN (
      SELECT account_id, sum(amount) AS amount
      FROM (SELECT to_account_id, amount FROM transfers UNION ALL SELECT from_account_id, -amount FROM transfers) AS side (account_id, amount)
      GROUP BY account_id
    ) AS t ON t.account_id = a.id
    WHERE a.balance IS NOT NULL AND a.balance <> coalesce(t.amount, 0) + coalesce(c.amount, 0)
    ORDER BY a.id LIMIT 1`.execute(db)
  return rows.map((row) => ({
    ...row,
    balance: cents(row.balance),
    transfers: cents(row.transfers),
  }))
}

const miscountedTallies = async (db: Kysely<Schema>) => {
  const figures = sql`format('%s rows, %s cents, %s cents of interest', coalesce(sum(rows), 0), coalesce(sum(cents), 0), coalesce(sum(interest), 0))`
  const { rows } = await sql<{ name: string; kept: string; counted: string }>`
    WITH kept AS (
      SELECT noun, day, kind, status, ${figures} AS figures FROM tallies GROUP BY noun, day, kind, status
      HAVING sum(rows) <> 0 OR sum(cents) <> 0 OR sum(interest) <> 0
    ), counted AS (
      SELECT noun, each.day, kind, status, ${figures} AS figures
      FROM recounted CROSS JOIN LATERAL (SELECT recounted.day UNION SELECT '-infinity') AS each (day) GROUP BY noun, each.day, kind, status
      HAVING sum(rows) <> 0 OR sum(cents) <> 0 OR sum(interest) <> 0
    )
    SELECT concat_ws(' ', noun, nullif(kind, ''), nullif(status, ''), CASE WHEN day = '-infinity' THEN 'of all days' ELSE 'of ' || day END) AS name,
      coalesce(kept.figures, 'nothing') AS kept, coalesce(counted.figures, 'nothing') AS counted
    FROM kept FULL JOIN counted USING (noun, day, kind, status)
    WHERE kept.figures IS DISTINCT FROM counted.figures
    ORDER BY noun, day, kind, status LIMIT 1`.execute(db)
  return rows
}
