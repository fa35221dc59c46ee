import type { AccountKind, MovementName } from '@pool/contract/ledger'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { POOL_OWNER } from './accounts.ts'

/**
 * A row whose state and what else is written contradict each other; `contradiction` is the rest of
 * the sentence that it begins.
 */
export type Mismatch = {
  readonly noun: string
  readonly id: string
  readonly status: string
  readonly contradiction: string
}

/**
 * One leg as text, by the ids of its accounts. They stand for owner and kind: money of the right
 * amount in another's account reads differently.
 */
const leg = (
  movement: MovementName,
  from: AccountKind,
  to: AccountKind,
  amount = 'amount',
): RawBuilder<string> =>
  sql`concat_ws(' ', ${sql.lit(movement)}, ${sql.ref(from)}, ${sql.ref(to)}, ${sql.ref(amount)})`
const legs = (...all: readonly RawBuilder<unknown>[]) => sql`concat_ws(', ', ${sql.join(all)})`
const paidInterest = (story: RawBuilder<string>) => sql`CASE WHEN interest > 0 THEN ${story} END`

const held = leg('withdrawal_held', 'available', 'held')
const opened = [
  leg('investment_opened', 'available', 'invested', 'principal'),
  paidInterest(leg('investment_opened', 'reserve', 'committed', 'interest')),
]
const matured = [
  leg('investment_matured', 'invested', 'available', 'principal'),
  paidInterest(leg('investment_matured', 'committed', 'available', 'interest')),
]

/**
 * The legs that each row must have caused in the state that it is in, by the names of their
 * movements.
 */
const expected = sql`
  SELECT 'transaction' AS noun, id, status, CASE
    WHEN type = 'deposit' AND status = 'APPROVED' THEN ${leg('deposit_confirmed', 'custody', 'available')}
    WHEN type = 'withdrawal' AND status = 'PENDING' THEN ${held}
    WHEN type = 'withdrawal' AND status = 'APPROVED' THEN ${legs(held, leg('withdrawal_paid', 'held', 'custody'))}
    WHEN type = 'withdrawal' AND status = 'REJECTED' THEN ${legs(held, leg('withdrawal_released', 'held', 'available'))}
  END AS story
  FROM transactions LEFT JOIN own USING (user_id) CROSS JOIN pool WHERE type IN ('deposit', 'withdrawal')
  UNION ALL
  SELECT 'investment', id, status, CASE status WHEN 'ACTIVE' THEN ${legs(...opened)} WHEN 'COMPLETED' THEN ${legs(...matured, ...opened)} END
  FROM investments LEFT JOIN own USING (user_id) CROSS JOIN pool
  UNION ALL
  SELECT 'contribution', id, 'MADE', ${leg('capital_contributed', 'operator', 'reserve')} FROM contributions CROSS JOIN pool`

const accountOf = (kind: AccountKind) =>
  sql`min(id) FILTER (WHERE kind = ${sql.lit(kind)}) AS ${sql.ref(kind)}`

/**
 * The first transaction, investment or contribution that did not cause exactly the transfers that
 * it must, between the accounts of its own owner and the pool's; or a transfer that nothing caused.
 * Each table is read once.
 */
export const misdirected = async (db: Kysely<Schema>): Promise<Mismatch | undefined> => {
  const { rows } = await sql<Mismatch>`
    WITH moved AS (
      SELECT reference_id, string_agg(concat_ws(' ', movement, from_account_id, to_account_id, amount), ', ' ORDER BY movement, id) AS story
      FROM transfers GROUP BY reference_id
    ), own AS (
      SELECT owner_id AS user_id, ${accountOf('available')}, ${accountOf('held')}, ${accountOf('invested')} FROM accounts GROUP BY owner_id
    ), pool AS (
      SELECT ${accountOf('custody')}, ${accountOf('operator')}, ${accountOf('reserve')}, ${accountOf('committed')}
      FROM accounts WHERE owner_id = ${POOL_OWNER}
    ), expected AS (${expected}), wrong AS (
      SELECT coalesce(e.noun, 'transfer without a cause') AS noun, coalesce(e.id, m.reference_id) AS id, coalesce(e.status, '') AS status
      FROM expected AS e FULL JOIN moved AS m ON m.reference_id = e.id
      WHERE e.story IS DISTINCT FROM m.story
      ORDER BY 2 LIMIT 1
    )
    SELECT noun, id, status, 'does not match its transfers: ' || coalesce((
      SELECT string_agg(concat_ws(' ', movement, t.amount, 'from', ${named('source')}, 'to', ${named('target')}), ', ' ORDER BY movement, t.id)
      FROM transfers AS t LEFT JOIN accounts AS source ON source.id = from_account_id LEFT JOIN accounts AS target ON target.id = to_account_id
      WHERE t.reference_id = wrong.id
    ), 'nothing') AS contradiction
    FROM wrong`.execute(db)
  return rows[0]
}

/** An account in words: its kind, and of an investor's whose it is. */
const named = (account: 'source' | 'target') => {
  const column = (name: string) => sql.ref(`${account}.${name}`)
  return sql`CASE WHEN ${column('id')} IS NULL THEN 'no account' ELSE
    ${column('kind')} || CASE WHEN ${column('owner_id')} <> ${POOL_OWNER} THEN ' of ' || ${column('owner_id')} ELSE '' END END`
}

/**
 * The first investment whose own transactions differ from it in owner, amount or time: one when it
 * opens, one payout once it is completed.
 */
export const mispaid = async (db: Kysely<Schema>): Promise<Mismatch | undefined> => {
  const { rows } = await sql<Mismatch>`
    WITH told AS (
      SELECT investment_id, max(created_at) AS last_at, string_agg(concat_ws(' ', type, amount, status, 'of', user_id), ', ' ORDER BY type) AS story
      FROM transactions WHERE investment_id IS NOT NULL GROUP BY investment_id
    )
    SELECT 'investment' AS noun, coalesce(i.id, investment_id) AS id, coalesce(i.status, '') AS status,
      'does not match its transactions: ' || coalesce(story, 'nothing') || CASE WHEN i.status = 'COMPLETED' AND last_at < matures_at THEN ', before it matured' ELSE '' END AS contradiction
    FROM investments AS i FULL JOIN told ON investment_id = i.id
    WHERE (i.status = 'COMPLETED' AND last_at < matures_at) OR story IS DISTINCT FROM concat_ws(', ',
      concat_ws(' ', 'investment', principal, 'COMPLETED', 'of', user_id),
      CASE WHEN i.status = 'COMPLETED' THEN concat_ws(' ', 'payout', principal + interest, 'COMPLETED', 'of', user_id) END)
    ORDER BY 2 LIMIT 1`.execute(db)
  return rows[0]
}

/**
 * The first deposit whose wallet is not its investor's: who pays there would be credited to
 * somebody else.
 */
export const misaddressed = async (db: Kysely<Schema>): Promise<Mismatch | undefined> => {
  const { rows } = await sql<Mismatch>`
    SELECT 'transaction' AS noun, t.id, t.status, concat_ws(' ', 'of', t.user_id, 'is to be paid to a wallet of', coalesce(w.owner_id::text, 'nobody')) AS contradiction
    FROM transactions AS t LEFT JOIN wallets AS w ON w.id = t.wallet_id
    WHERE t.type = 'deposit' AND w.owner_id IS DISTINCT FROM t.user_id
    ORDER BY t.id LIMIT 1`.execute(db)
  return rows[0]
}
