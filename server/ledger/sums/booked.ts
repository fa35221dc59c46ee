/** The balances that statements must come to (docs/product.md 5.39). */
import type { AccountKind } from '@pool/contract/money/ledger'
import type { StatementPart } from '@pool/contract/reports/statements'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { POOL_OWNER } from '../families/accounts.ts'

type Db = Kysely<Schema>

/** The years in UTC of the first and the last movement, and of now. */
export const readYearsOfMovements = async (
  db: Db,
): Promise<{ readonly first: number; readonly last: number }> => {
  const { rows } = await sql<{ first: number; last: number }>`
    SELECT extract(year FROM least(min(at), now()) AT TIME ZONE 'UTC')::int AS first, extract(year FROM greatest(max(at), now()) AT TIME ZONE 'UTC')::int AS last
    FROM (SELECT created_at AS at FROM transfers UNION ALL SELECT created_at FROM transactions) AS moved`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error('an aggregate has a row')
  return row
}

type Owner = { readonly userId: string } & Readonly<Record<StatementPart, bigint>>

/** Cents of each investor: accounts, and rows of withdrawals, promised interest and debts. */
export const readOwners = async (db: Db): Promise<readonly Owner[]> => {
  const { rows } = await sql<Owner>`
    WITH own AS (
      SELECT user_id, coalesce(sum(amount) FILTER (WHERE type = 'withdrawal' AND status IN ('APPROVED', 'PROCESSING')), 0)::bigint AS "onTheWay",
        coalesce(sum(interest) FILTER (WHERE type = 'investment' AND investment_status = 'ACTIVE'), 0)::bigint AS promised
      FROM transactions GROUP BY user_id
    ), owing AS (SELECT user_id, sum(open)::bigint AS debt FROM claims GROUP BY user_id)
    SELECT a.owner_id AS "userId", max(balance) FILTER (WHERE kind = 'available') AS available,
      max(balance) FILTER (WHERE kind = 'held') AS held, max(balance) FILTER (WHERE kind = 'invested') AS invested,
      coalesce(max(own."onTheWay"), 0) AS "onTheWay", coalesce(max(own.promised), 0) AS promised, coalesce(max(owing.debt), 0) AS debt
    FROM accounts AS a LEFT JOIN own ON own.user_id = a.owner_id LEFT JOIN owing ON owing.user_id = a.owner_id
    WHERE a.owner_id <> ${POOL_OWNER} GROUP BY a.owner_id ORDER BY a.owner_id`.execute(db)
  return rows
}

/** Cents by kind of account. */
export type AccountBalances = Readonly<Partial<Record<AccountKind, bigint>>>

/** Balances of all accounts by kind, of unguarded ones by rows. */
export const readBooked = async (db: Db): Promise<AccountBalances> => {
  const { rows } = await sql<{ kind: AccountKind; balance: bigint }>`
    SELECT kind, sum(balance)::bigint AS balance FROM accounts WHERE balance IS NOT NULL GROUP BY kind
    UNION ALL SELECT 'claims', -(SELECT coalesce(sum(open), 0) FROM claims)::bigint
    UNION ALL SELECT 'loans', -(SELECT coalesce(sum(outstanding), 0) FROM loans)::bigint
    UNION ALL SELECT 'loss', -open_loss()`.execute(db)
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]))
}
