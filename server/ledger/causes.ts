import type { InvestmentStatus } from '@pool/contract/investments'
import type { AccountKind, MovementName } from '@pool/contract/ledger'
import type { TransactionStatus, TransactionType } from '@pool/contract/transactions'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { POOL_OWNER } from './accounts.ts'
import { movements } from './movements.ts'

/**
 * A row that its transfers, transactions or wallet contradict. `contradiction` ends the sentence
 * that the row begins.
 */
export type Mismatch = {
  readonly noun: string
  readonly id: string
  readonly status: string
  readonly contradiction: string
}

/** The movements that a row has caused, by its status. Sorted by name, as in `moved`. */
type Caused<Status extends string> = Readonly<Partial<Record<Status, readonly MovementName[]>>>

/** An investment's movements are posted under its own id, so its transactions cause none. */
const byTransaction = {
  deposit: { APPROVED: ['deposit_confirmed'] },
  withdrawal: {
    PENDING: ['withdrawal_held'],
    APPROVED: ['withdrawal_held', 'withdrawal_paid'],
    PROCESSING: ['withdrawal_held', 'withdrawal_paid'],
    COMPLETED: ['withdrawal_held', 'withdrawal_paid'],
    REJECTED: ['withdrawal_held', 'withdrawal_released'],
  },
  investment: undefined,
  payout: undefined,
} as const satisfies Readonly<Record<TransactionType, Caused<TransactionStatus> | undefined>>

const byInvestment = {
  ACTIVE: ['investment_opened'],
  COMPLETED: ['investment_matured', 'investment_opened'],
} as const satisfies Caused<InvestmentStatus>

/** Transfers as text, by account ids, so that another owner's account reads differently. */
const storyOf = (names: readonly MovementName[]): RawBuilder<unknown> => {
  const legs = names.flatMap((name) =>
    movements[name].map(({ from, to, moves }) => {
      const leg = sql.join([sql.lit(name), ...[from, to, moves].map((column) => sql.ref(column))])
      return sql`CASE WHEN ${sql.ref(moves)} <> 0 THEN concat_ws(' ', ${leg}) END`
    }),
  )
  return sql`concat_ws(', ', ${sql.join(legs)})`
}

const choose = (column: string, stories: readonly (readonly [string, RawBuilder<unknown>])[]) =>
  sql`CASE ${sql.ref(column)} ${sql.join(
    stories.map(([value, story]) => sql`WHEN ${sql.lit(value)} THEN ${story}`),
    sql` `,
  )} END`
const byStatus = (caused: Readonly<Record<string, readonly MovementName[]>>) =>
  choose(
    'status',
    Object.entries(caused).map(([status, names]) => [status, storyOf(names)]),
  )

const moving = Object.entries(byTransaction).flatMap(([type, caused]) =>
  caused ? [[type, byStatus(caused)] as const] : [],
)

/** The transfers that each row must have caused, by its state. */
const expected = sql`
  SELECT 'transaction' AS noun, id, status, ${choose('type', moving)} AS story
  FROM transactions LEFT JOIN own USING (user_id) CROSS JOIN pool
  WHERE type IN (${sql.join(moving.map(([type]) => sql.lit(type)))})
  UNION ALL
  SELECT 'investment', id, status, ${byStatus(byInvestment)}
  FROM investments LEFT JOIN own USING (user_id) CROSS JOIN pool
  UNION ALL
  SELECT 'contribution', id, 'MADE', ${storyOf(['capital_contributed'])} FROM contributions CROSS JOIN pool`

const accountOf = (kind: AccountKind) =>
  sql`min(id) FILTER (WHERE kind = ${sql.lit(kind)}) AS ${sql.ref(kind)}`

/** The first id of the movements that are not archived. */
const FIRST_KEPT = sql`coalesce((SELECT until_id FROM archived_months ORDER BY until_id DESC LIMIT 1), ${POOL_OWNER}::uuid)`

/** Ids of one archived month. */
type Within = { readonly from: string | null; readonly until: string }

/**
 * Finds the first row whose transfers are not those of its movements, or a transfer without a row.
 * Reads each table once. Without a month it leaves out the archived ones.
 */
export const misdirected = async (
  db: Kysely<Schema>,
  month?: Within,
): Promise<Mismatch | undefined> => {
  const within = month
    ? sql`id >= ${month.from ?? POOL_OWNER}::uuid AND id < ${month.until}::uuid`
    : sql`id >= ${FIRST_KEPT}`
  const { rows } = await sql<Mismatch>`
    WITH moved AS (
      SELECT reference_id, string_agg(concat_ws(' ', movement, from_account_id, to_account_id, amount), ', ' ORDER BY movement, place) AS story
      FROM transfers GROUP BY reference_id
    ), own AS (
      SELECT owner_id AS user_id, ${accountOf('available')}, ${accountOf('held')}, ${accountOf('invested')} FROM accounts GROUP BY owner_id
    ), pool AS (
      SELECT ${accountOf('custody')}, ${accountOf('operator')}, ${accountOf('reserve')}, ${accountOf('committed')}
      FROM accounts WHERE owner_id = ${POOL_OWNER}
    ), expected AS (SELECT * FROM (${expected}) AS of_all WHERE ${within}), wrong AS (
      SELECT coalesce(e.noun, 'transfer without a cause') AS noun, coalesce(e.id, m.reference_id) AS id, coalesce(e.status, '') AS status
      FROM expected AS e FULL JOIN moved AS m ON m.reference_id = e.id
      WHERE e.story IS DISTINCT FROM m.story
      ORDER BY 2 LIMIT 1
    )
    SELECT noun, id, status, 'does not match its transfers: ' || coalesce((
      SELECT string_agg(concat_ws(' ', movement, t.amount, 'from', ${named('source')}, 'to', ${named('target')}), ', ' ORDER BY movement, place)
      FROM transfers AS t LEFT JOIN accounts AS source ON source.id = from_account_id LEFT JOIN accounts AS target ON target.id = to_account_id
      WHERE t.reference_id = wrong.id
    ), 'nothing') AS contradiction
    FROM wrong`.execute(db)
  return rows[0]
}

/** An account in words: its kind, and its owner if that is an investor. */
const named = (account: 'source' | 'target') => {
  const column = (name: string) => sql.ref(`${account}.${name}`)
  return sql`CASE WHEN ${column('id')} IS NULL THEN 'no account' ELSE
    ${column('kind')} || CASE WHEN ${column('owner_id')} <> ${POOL_OWNER} THEN ' of ' || ${column('owner_id')} ELSE '' END END`
}

/**
 * Finds the first investment whose payout differs from it in owner, amount or time. It has one once
 * it is completed.
 */
export const mispaid = async (db: Kysely<Schema>): Promise<Mismatch | undefined> => {
  const { rows } = await sql<Mismatch>`
    WITH paid AS (
      SELECT investment_id, created_at, concat_ws(' ', amount, status, 'of', user_id) AS story FROM transactions WHERE type = 'payout'
    )
    SELECT 'investment' AS noun, coalesce(i.id, investment_id) AS id, coalesce(i.status, '') AS status,
      'does not match its payout: ' || coalesce(story, 'nothing') || CASE WHEN paid.created_at < matures_at THEN ', before it matured' ELSE '' END AS contradiction
    FROM investments AS i FULL JOIN paid ON investment_id = i.id
    WHERE paid.created_at < matures_at
      OR story IS DISTINCT FROM CASE WHEN i.status = 'COMPLETED' THEN concat_ws(' ', principal + interest, 'COMPLETED', 'of', user_id) END
    ORDER BY 2 LIMIT 1`.execute(db)
  return rows[0]
}

/** Finds the first deposit to a wallet of another investor, who would be credited. */
export const misaddressed = async (db: Kysely<Schema>): Promise<Mismatch | undefined> => {
  const { rows } = await sql<Mismatch>`
    SELECT 'transaction' AS noun, t.id, t.status, concat_ws(' ', 'of', t.user_id, 'is to be paid to a wallet of', coalesce(w.owner_id::text, 'nobody')) AS contradiction
    FROM transactions AS t LEFT JOIN wallets AS w ON w.id = t.wallet_id
    WHERE t.type = 'deposit' AND w.owner_id IS DISTINCT FROM t.user_id
    ORDER BY t.id LIMIT 1`.execute(db)
  return rows[0]
}
