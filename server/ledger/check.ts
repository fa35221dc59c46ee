import { type Cents, cents, dollarsFromCents, formatDollars } from '@pool/contract/money'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** What recomputing the ledger found. Amounts in cents. */
export type LedgerCheck = {
  readonly accounts: number
  readonly transfers: bigint
  /** The first account whose balance is not the sum of its transfers. */
  readonly firstDifference?: {
    readonly accountId: bigint
    readonly ownerId: string
    readonly kind: string
    readonly balance: Cents
    readonly transfers: Cents
  }
  /** The first transaction or investment whose state and transfers tell different stories. */
  readonly firstMismatch?: { readonly noun: string; readonly id: string; readonly status: string; readonly moved: string }
  /** The first figure that is kept and differs from a recount: of a day, or of all days together. */
  readonly firstMiscount?: { readonly name: string; readonly kept: string; readonly counted: string }
}

/** What is wrong, as a sentence: the first account or row; undefined when the ledger is whole. */
export const findingOf = ({ firstDifference, firstMismatch, firstMiscount }: LedgerCheck): string | undefined => {
  if (firstDifference) {
    const { accountId, kind, ownerId, balance, transfers } = firstDifference
    return `Account ${accountId} (${kind} of ${ownerId}) has the balance ${inDollars(balance)}, but its transfers come to ${inDollars(transfers)}.`
  }
  if (firstMismatch) {
    const { noun, id, status, moved } = firstMismatch
    return `The ${noun} ${id} ${status} does not match its transfers: ${moved}.`
  }
  if (firstMiscount) {
    const { name, kept, counted } = firstMiscount
    return `The tally of ${name} is kept as ${kept}, but a recount comes to ${counted}.`
  }
  return undefined
}

const inDollars = (amount: Cents): string => formatDollars(dollarsFromCents(amount))

/**
 * Recomputes every balance from the transfers, checks every business row against the movements it must have caused, and counts the rows again for
 * every figure that is kept.
 */
export const checkLedger = async (db: Kysely<Schema>): Promise<LedgerCheck> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      // Over many millions of transfers it takes longer than a request ever should.
      await sql`SET LOCAL statement_timeout = '15min'`.execute(snapshot)
      const counted = await sql<{ accounts: number; transfers: bigint }>`
        SELECT (SELECT count(*)::int FROM accounts) AS accounts, (SELECT count(*) FROM transfers) AS transfers`.execute(snapshot)
      const [difference] = await differingAccounts(snapshot)
      const [mismatch] = await mismatchedRows(snapshot)
      const [miscount] = await miscountedTallies(snapshot)
      return {
        accounts: counted.rows[0]?.accounts ?? 0,
        transfers: counted.rows[0]?.transfers ?? 0n,
        ...(difference && { firstDifference: difference }),
        ...(mismatch && { firstMismatch: mismatch }),
        ...(miscount && { firstMiscount: miscount }),
      }
    })

const differingAccounts = async (db: Kysely<Schema>) => {
  const { rows } = await sql<{ accountId: bigint; ownerId: string; kind: string; balance: bigint; transfers: bigint }>`
    SELECT a.id AS "accountId", a.owner_id AS "ownerId", a.kind, a.balance, coalesce(t.amount, 0)::bigint AS transfers
    FROM accounts AS a
    LEFT JOIN (
      SELECT account_id, sum(amount) AS amount
      FROM (SELECT to_account_id, amount FROM transfers UNION ALL SELECT from_account_id, -amount FROM transfers) AS side (account_id, amount)
      GROUP BY account_id
    ) AS t ON t.account_id = a.id
    WHERE a.balance IS NOT NULL AND a.balance <> coalesce(t.amount, 0)
    ORDER BY a.id LIMIT 1`.execute(db)
  return rows.map((row) => ({ ...row, balance: cents(row.balance), transfers: cents(row.transfers) }))
}

// Which movements a row in a given state must have caused, and how much each moved: the state machine of design §5 as data.
const mismatchedRows = async (db: Kysely<Schema>) => {
  const { rows } = await sql<{ noun: string; id: string; status: string; moved: string }>`
    WITH moved AS (
      SELECT reference_id, string_agg(movement || ' ' || amount, ', ' ORDER BY movement, id) AS story FROM transfers GROUP BY reference_id
    ), expected AS (
      SELECT 'transaction' AS noun, id, status, CASE
        WHEN type = 'deposit' AND status = 'APPROVED' THEN 'deposit_confirmed ' || amount
        WHEN type = 'withdrawal' AND status = 'PENDING' THEN 'withdrawal_held ' || amount
        WHEN type = 'withdrawal' AND status = 'APPROVED' THEN 'withdrawal_held ' || amount || ', withdrawal_paid ' || amount
        WHEN type = 'withdrawal' AND status = 'REJECTED' THEN 'withdrawal_held ' || amount || ', withdrawal_released ' || amount
      END AS story
      FROM transactions WHERE type IN ('deposit', 'withdrawal')
      UNION ALL
      SELECT 'investment', id, status, concat_ws(', ',
        CASE WHEN status = 'COMPLETED' THEN 'investment_matured ' || principal END,
        CASE WHEN status = 'COMPLETED' AND interest > 0 THEN 'investment_matured ' || interest END,
        'investment_opened ' || principal,
        CASE WHEN interest > 0 THEN 'investment_opened ' || interest END)
      FROM investments
      UNION ALL
      -- A transfer between accounts that do not exist has no story that fits.
      SELECT 'transfer of no account', t.reference_id, t.movement, NULL FROM transfers AS t
      WHERE NOT EXISTS (SELECT FROM accounts WHERE id = t.from_account_id) OR NOT EXISTS (SELECT FROM accounts WHERE id = t.to_account_id)
      UNION ALL
      SELECT 'contribution', id, 'MADE', 'capital_contributed ' || amount FROM contributions
    )
    SELECT coalesce(e.noun, 'transfer without a cause') AS noun, coalesce(e.id, m.reference_id) AS id, coalesce(e.status, '') AS status, coalesce(m.story, 'nothing') AS moved
    FROM expected AS e FULL JOIN moved AS m ON m.reference_id = e.id
    WHERE e.story IS DISTINCT FROM m.story
    ORDER BY 2 LIMIT 1`.execute(db)
  return rows
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
