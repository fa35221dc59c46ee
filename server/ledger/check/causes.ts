import { type AccountKind, investorAccounts, poolAccounts } from '@pool/contract/money/ledger'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { AnyMovement } from '../engine/operation.ts'
import { POOL_OWNER } from '../families/accounts.ts'
import type { Causes, Expected, Leg, UpToTwo } from '../families/movement.ts'
import { companionMovements, movements } from '../families/movements.ts'

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

/** A movement as the rows that cause it should show it. */
type Expectation = Expected & { readonly name: string; readonly legs: UpToTwo<Leg> }

/** Sorted by name, as in `moved`. */
const expectations = Object.entries<Pick<AnyMovement, 'legs' | 'expected'>>({
  ...movements,
  ...companionMovements,
})
  .flatMap(([name, { legs, expected }]) => (expected ? [{ ...expected, name, legs }] : []))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

/** The id of an account of the row's investor, or of the pool. */
const accountId = (kind: AccountKind) =>
  sql.ref(`${(investorAccounts as readonly AccountKind[]).includes(kind) ? 'own' : 'pool'}.${kind}`)

/** Transfers as text, by account ids, so that another owner's account reads differently. */
const storyOf = (caused: readonly Expectation[]): RawBuilder<unknown> => {
  const legs = caused.flatMap(({ name, legs, only, rows }) =>
    [...legs].map(({ from, to, moves }) => {
      const leg = sql.join([sql.lit(name), accountId(from), accountId(to), sql.ref(moves)])
      const counts = only
        ? sql`${sql.ref(`${rows.table}.${only.column}`)} = ${sql.lit(only.is)} AND`
        : sql``
      return sql`CASE WHEN ${counts} ${sql.ref(moves)} <> 0 THEN concat_ws(' ', ${leg}) END`
    }),
  )
  return sql`concat_ws(', ', ${sql.join(legs)})`
}

type Choices = readonly (readonly [string, RawBuilder<unknown>])[]
const choose = (value: RawBuilder<unknown>, choices: Choices) =>
  sql`CASE ${value} ${sql.join(
    choices.map(([when, then]) => sql`WHEN ${sql.lit(when)} THEN ${then}`),
    sql` `,
  )} END`

const statusOf = ({ status }: Causes) => (status ? sql.lit(status) : sql.ref('status'))

const storyByStatus = (caused: readonly Expectation[], rows: Causes) => {
  const statuses = [...new Set(caused.flatMap(({ statuses }) => statuses))]
  return choose(
    statusOf(rows),
    statuses.map((status) => [
      status,
      storyOf(caused.filter(({ statuses }) => statuses.includes(status))),
    ]),
  )
}

/** The transfers that each row of a table must have caused, by its type and status. */
const expectedIn = (rows: Causes) => {
  const caused = expectations.filter((each) => each.rows.table === rows.table)
  const types = [...Map.groupBy(caused, (each) => each.rows.type ?? '')]
  const byType: Choices = types.map(([type, some]) => [type, storyByStatus(some, rows)])
  return sql`
  SELECT ${sql.lit(rows.noun)} AS noun, id, ${statusOf(rows)} AS status,
    ${rows.type ? choose(sql.ref('type'), byType) : storyByStatus(caused, rows)} AS story
  FROM ${sql.table(rows.table)} ${rows.owned ? sql`LEFT JOIN own USING (user_id)` : sql``} CROSS JOIN pool
  ${rows.type ? sql`WHERE type IN (${sql.join(byType.map(([type]) => sql.lit(type)))})` : sql``}`
}

/** Reads each table once. */
const expected = sql.join(
  [...new Map(expectations.map(({ rows }) => [rows.table, rows])).values()].map(expectedIn),
  sql` UNION ALL `,
)

const accountsNamed = (kinds: readonly AccountKind[]) =>
  sql.join(
    kinds.map((kind) => sql`min(id) FILTER (WHERE kind = ${sql.lit(kind)}) AS ${sql.ref(kind)}`),
  )

/** The first id of the movements that are not archived. */
const FIRST_KEPT = sql`coalesce((SELECT until_id FROM archived_months ORDER BY until_id DESC LIMIT 1), ${POOL_OWNER}::uuid)`

/** Ids of one archived month. */
type Within = { readonly from: string | null; readonly until: string }

/**
 * Finds the first row whose transfers are not those of its movements, or a transfer without a row.
 * Reads each table once. Without a month it leaves out the archived ones.
 */
export const findWrongTransfers = async (
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
      SELECT owner_id AS user_id, ${accountsNamed(investorAccounts)} FROM accounts GROUP BY owner_id
    ), pool AS (
      SELECT ${accountsNamed(poolAccounts)}
      FROM accounts WHERE owner_id = ${POOL_OWNER}
    ), expected AS (SELECT * FROM (${expected}) AS of_all WHERE ${within}), wrong AS (
      SELECT coalesce(e.noun, 'transfer without a cause') AS noun, coalesce(e.id, m.reference_id) AS id, coalesce(e.status, '') AS status
      FROM expected AS e FULL JOIN moved AS m ON m.reference_id = e.id
      WHERE nullif(e.story, '') IS DISTINCT FROM m.story
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
export const findWrongPayout = async (db: Kysely<Schema>): Promise<Mismatch | undefined> => {
  const { rows } = await sql<Mismatch>`
    WITH paid AS (
      SELECT investment_id, created_at, concat_ws(' ', amount, status, 'of', user_id) AS story FROM transactions WHERE type = 'payout'
    )
    SELECT 'investment' AS noun, coalesce(i.id, investment_id) AS id, coalesce(i.status, '') AS status,
      'does not match its payout: ' || coalesce(story, 'nothing') || CASE WHEN paid.created_at < matures_at THEN ', before it matured' ELSE '' END AS contradiction
    FROM investments AS i FULL JOIN paid ON investment_id = i.id
    WHERE paid.created_at < matures_at
      OR story IS DISTINCT FROM CASE WHEN i.status = 'COMPLETED' AND returned + interest > 0 THEN concat_ws(' ', returned + interest, 'COMPLETED', 'of', user_id) END
    ORDER BY 2 LIMIT 1`.execute(db)
  return rows[0]
}

/**
 * Finds the first deposit that was taken back and its claim that contradict each other, or what was
 * collected and written off of it.
 */
export const findWrongClaim = async (db: Kysely<Schema>): Promise<Mismatch | undefined> => {
  const { rows } = await sql<Mismatch>`
    SELECT 'deposit' AS noun, coalesce(t.id, c.deposit_id) AS id, 'REVERSED' AS status,
      concat_ws(' ', 'was', coalesce(t.amount::text, 'not'), 'and taken back, and its claim has', coalesce(c.open::text, 'nothing'), 'open of', c.amount) AS contradiction
    FROM (SELECT id, user_id, amount FROM transactions WHERE type = 'deposit' AND status = 'REVERSED') AS t FULL JOIN claims AS c ON c.deposit_id = t.id
    WHERE (c.user_id, c.amount) IS DISTINCT FROM (t.user_id, t.amount) OR c.open <> c.amount
      - (SELECT coalesce(sum(amount), 0) FROM transactions WHERE claim_id = c.deposit_id)
      - (SELECT coalesce(sum(amount), 0) FROM write_offs WHERE claim_id = c.deposit_id)
    ORDER BY 2 LIMIT 1`.execute(db)
  return rows[0]
}

/**
 * Finds the first loan that contradicts its disbursement, instalments or repayments, or capital at
 * work that is not what all loans owe.
 */
export const findWrongLoan = async (db: Kysely<Schema>): Promise<Mismatch | undefined> => {
  const { rows } = await sql<Mismatch>`
    WITH due AS (
      SELECT loan_id, sum(CASE WHEN replaced THEN principal_paid ELSE principal END) AS principal, sum(principal_paid) AS paid, sum(interest_paid) AS interest FROM loan_instalments GROUP BY loan_id
    ), got AS (
      SELECT loan_id, sum(principal) AS principal, sum(interest) AS interest, sum(recovered) AS recovered FROM loan_repayments WHERE NOT reversed GROUP BY loan_id
    ), parts AS (
      SELECT repayment_id, sum(principal) AS principal, sum(interest) AS interest FROM loan_repayment_parts GROUP BY repayment_id
    )
    SELECT 'loan' AS noun, l.id, l.status,
      concat_ws(' ', 'owes', l.outstanding, 'of', coalesce(d.principal, 0), 'with', coalesce(got.principal, 0), 'repaid,', l.written_off, 'written off and', coalesce(due.paid, 0), 'of instalments paid') AS contradiction
    FROM loans AS l LEFT JOIN loan_disbursements AS d ON d.loan_id = l.id LEFT JOIN due ON due.loan_id = l.id LEFT JOIN got ON got.loan_id = l.id
      LEFT JOIN loan_write_offs AS w ON w.loan_id = l.id LEFT JOIN loan_defaults AS f ON f.loan_id = l.id
    WHERE (d.id IS NOT NULL) <> (l.status IN ('ACTIVE', 'DEFAULTED', 'WRITTEN_OFF', 'REPAID')) OR d.principal <> l.principal
      OR l.outstanding <> coalesce(d.principal, 0) - coalesce(got.principal, 0) - l.written_off OR due.principal IS DISTINCT FROM d.principal
      OR coalesce(due.paid, 0) <> coalesce(got.principal, 0) OR coalesce(due.interest, 0) <> coalesce(got.interest, 0)
      OR l.written_off <> coalesce(w.principal, 0) OR l.recovered <> coalesce(got.recovered, 0)
      OR (f.id IS NULL) <> (l.status IN ('APPLIED', 'APPROVED', 'SENDING', 'ACTIVE', 'WITHDRAWN', 'DECLINED')) AND l.status <> 'REPAID'
    UNION ALL
    SELECT 'repayment', r.id, 'MADE', 'is not the sum of its parts or of its reversal'
    FROM loan_repayments AS r LEFT JOIN parts AS p ON p.repayment_id = r.id LEFT JOIN loan_reversals AS v ON v.repayment_id = r.id
    WHERE coalesce(p.principal, 0) <> r.principal OR coalesce(p.interest, 0) <> r.interest OR r.reversed <> (v.id IS NOT NULL)
      OR (v.principal, v.interest, v.recovered) <> (r.principal, r.interest, r.recovered)
    UNION ALL
    SELECT 'account', owner_id, kind, concat_ws(' ', 'has', balance, 'and loans owe', owed.capital, 'of capital')
    FROM accounts CROSS JOIN (SELECT coalesce(sum(capital_in(l, outstanding)), 0) AS capital FROM loans AS l) AS owed
    WHERE kind = 'deployed' AND balance <> owed.capital
    UNION ALL
    SELECT 'account', owner_id, kind, concat_ws(' ', 'has', balance, 'and loans that a batch is to pay took', reserved.capital)
    FROM accounts CROSS JOIN (SELECT coalesce(sum(capital), 0) AS capital FROM loan_sendings WHERE status = 'OPEN') AS reserved
    WHERE kind = 'sending' AND balance <> reserved.capital
    UNION ALL
    SELECT 'loan', l.id, l.status, concat_ws(' ', 'of', l.principal, 'has', count(s.id) FILTER (WHERE s.status = 'OPEN'), 'open and', count(s.id) FILTER (WHERE s.status = 'PAID'), 'paid rows of loan_sendings')
    FROM loans AS l LEFT JOIN loan_sendings AS s ON s.loan_id = l.id LEFT JOIN loan_disbursements AS d ON d.loan_id = l.id AND d.sent
    WHERE l.status = 'SENDING' OR s.id IS NOT NULL OR d.id IS NOT NULL
    GROUP BY l.id, d.id
    HAVING count(s.id) FILTER (WHERE s.status = 'OPEN') <> (l.status = 'SENDING')::integer
      OR count(s.id) FILTER (WHERE s.status = 'PAID' AND s.proposal_id IS NOT DISTINCT FROM d.id) <> (d.id IS NOT NULL)::integer
      OR count(s.id) FILTER (WHERE s.status = 'PAID') > 1
      OR bool_or((s.principal, s.capital) <> (l.principal, l.principal - l.from_investors))
    UNION ALL
    SELECT 'loan', l.id, l.status, concat_ws(' ', 'owes', l.outstanding, 'and got', d.capital, 'of capital, with', coalesce(got.capital, 0), 'back and', coalesce(w.capital, 0), 'lost')
    FROM loans AS l JOIN loan_disbursements AS d ON d.loan_id = l.id LEFT JOIN loan_write_offs AS w ON w.loan_id = l.id LEFT JOIN (
      SELECT r.loan_id, sum(r.capital - coalesce(v.capital, 0)) AS capital FROM loan_repayments AS r LEFT JOIN loan_reversals AS v ON v.repayment_id = r.id GROUP BY r.loan_id
    ) AS got ON got.loan_id = l.id
    WHERE d.capital <> capital_in(l, l.principal) OR capital_in(l, l.outstanding) <> d.capital - coalesce(got.capital, 0) - coalesce(w.capital, 0)
    UNION ALL
    SELECT 'loss', (SELECT id FROM loan_write_offs WHERE lost > 0 ORDER BY created_at DESC LIMIT 1), 'OPEN', concat_ws(' ', 'comes to', loss.open, 'of', loss.unborne, 'that nothing bore, and holds', loss.pauses, 'of 2 pauses')
    FROM (SELECT open_loss() AS open, coalesce((SELECT sum(lost) FROM loan_write_offs), 0) - coalesce((SELECT sum(amount) FROM loss_covers), 0) - coalesce((SELECT sum(amount) FROM loss_sharings), 0) AS unborne, (SELECT count(*) FROM pauses WHERE by_loss) AS pauses) AS loss
    WHERE loss.open <> loss.unborne OR loss.pauses <> CASE WHEN loss.open > 0 THEN 2 ELSE 0 END
    UNION ALL
    SELECT 'wind-down', w.id, CASE WHEN w.id IS NULL THEN 'ENDED' ELSE 'BEGUN' END, concat_ws(' ', 'holds', held.pauses, 'of 2 pauses')
    FROM (SELECT count(*) AS pauses FROM pauses WHERE by_wind_down) AS held LEFT JOIN current_wind_down() AS w ON true
    WHERE held.pauses <> CASE WHEN w.id IS NULL THEN 0 ELSE 2 END
    ORDER BY 1 DESC, 2 LIMIT 1`.execute(db)
  return rows[0]
}

/**
 * Finds the first investor whose investments bore other sums than their parts of shared losses, or
 * the first loss, sharing or recovery whose parts do not come to it.
 */
export const findWrongLossShare = async (db: Kysely<Schema>): Promise<Mismatch | undefined> => {
  const { rows } = await sql<Mismatch>`
    SELECT 'investments of' AS noun, coalesce(i.user_id, l.user_id) AS id, '' AS status,
      concat_ws(' ', 'bore', coalesce(i.cents, 0), 'cents, and the parts of shared losses come to', coalesce(l.cents, 0)) AS contradiction
    FROM (SELECT user_id, sum(borne) AS cents FROM transactions WHERE borne > 0 GROUP BY user_id) AS i
    FULL JOIN (SELECT user_id, sum(amount) AS cents FROM transactions WHERE type = 'loss' GROUP BY user_id) AS l USING (user_id)
    WHERE i.cents IS DISTINCT FROM l.cents
    UNION ALL
    SELECT 'shared loss', coalesce(s.id, p.sharing_id), '', concat_ws(' ', 'comes to', s.amount, 'cents and its parts to', coalesce(p.cents, 0))
    FROM loss_sharings AS s FULL JOIN (SELECT sharing_id, sum(amount) AS cents FROM transactions WHERE type = 'loss' GROUP BY sharing_id) AS p ON p.sharing_id = s.id
    WHERE s.amount IS DISTINCT FROM p.cents
    UNION ALL
    SELECT 'recovery', coalesce(r.id, p.repayment_id), '', concat_ws(' ', 'gave back', r.cents, 'cents and its parts', coalesce(p.cents, 0))
    FROM (SELECT id, recovered - kept AS cents FROM loan_repayments WHERE kept < recovered) AS r
    FULL JOIN (SELECT repayment_id, sum(amount) AS cents FROM transactions WHERE type = 'recovery' GROUP BY repayment_id) AS p ON p.repayment_id = r.id
    WHERE r.cents IS DISTINCT FROM p.cents
    UNION ALL
    SELECT 'part of a shared loss', l.id, '', concat_ws(' ', 'was', l.amount, 'cents and got back', l.back)
    FROM (
      SELECT l.id, l.amount, sum(r.amount) AS back FROM transactions AS l JOIN transactions AS r ON r.type = 'recovery' AND r.sharing_id = l.sharing_id AND r.user_id = l.user_id
      WHERE l.type = 'loss' GROUP BY l.id, l.amount
    ) AS l WHERE back > amount
    UNION ALL
    SELECT 'end of a loss', coalesce(e.id, b.id), '', concat_ws(' ', 'bore', e.amount, 'cents, and its write-offs lost', coalesce(b.cents, 0))
    FROM (SELECT id, amount FROM loss_covers UNION ALL SELECT id, amount FROM loss_sharings) AS e FULL JOIN (
      SELECT coalesce(cover_id, sharing_id) AS id, sum(w.lost) AS cents FROM losses_borne JOIN loan_write_offs AS w ON w.id = write_off_id GROUP BY 1
    ) AS b ON b.id = e.id
    WHERE e.amount IS DISTINCT FROM b.cents
    ORDER BY 1, 2 LIMIT 1`.execute(db)
  return rows[0]
}

/** Finds the first deposit to a wallet of another investor, who would be credited. */
export const findWrongDeposit = async (db: Kysely<Schema>): Promise<Mismatch | undefined> => {
  const { rows } = await sql<Mismatch>`
    SELECT 'transaction' AS noun, t.id, t.status, concat_ws(' ', 'of', t.user_id, 'is to be paid to a wallet of', coalesce(w.owner_id::text, 'nobody')) AS contradiction
    FROM transactions AS t LEFT JOIN wallets AS w ON w.id = t.wallet_id
    WHERE t.type = 'deposit' AND w.owner_id IS DISTINCT FROM t.user_id
    ORDER BY t.id LIMIT 1`.execute(db)
  return rows[0]
}
