/** Invariants of every committed state. Each is read in one statement, also while money moves. */
import { typesWith } from '@pool/contract/requests/transactions'
import type { Database } from '../server/base/db/connection.ts'
import { checkLedger, findingOf } from '../server/ledger/check/check.ts'

/** The types that staff decide about, as a list in SQL. */
export const DECIDED_TYPES = typesWith({ decidedBy: 'staff' })
  .map((type) => `'${type}'`)
  .join(', ')

/** No guarded account is below zero, and custody, whose coins count below it, is not above (I2). */
const negative = `
  SELECT format('account %s (%s of %s) is below zero: %s', id, kind, owner_id, balance) AS sentence FROM accounts
  WHERE CASE kind WHEN 'custody' THEN balance > 0 ELSE balance < 0 END`

/** Recomputes every interest: rate times principal, rounded down to the cent (I11). */
const wrongInterest = `
  SELECT format('investment %s has not the interest of its rate', id) AS sentence
  FROM investments WHERE interest <> div(principal::numeric * rate_basis_points, 10000)`

/** Each completed investment has one payout, others have none, and none is early (I11). */
const brokenPayouts = `
  SELECT format('investment %s has %s payouts, or one that is not its own', i.id, count(t.id)) AS sentence
  FROM investments AS i LEFT JOIN transactions AS t ON t.investment_id = i.id AND t.type = 'payout'
  GROUP BY i.id, i.status, i.principal, i.interest, i.matures_at
  HAVING count(t.id) <> (i.status = 'COMPLETED')::int OR bool_or(t.amount <> i.principal + i.interest) OR bool_or(t.created_at < i.matures_at)`

/** Every decision has one audit entry, by another person than the owner (I12). */
const unrecorded = `
  SELECT format('transaction %s is %s by %s, and %s entries say so', t.id, t.status, coalesce(t.decided_by::text, 'nobody'), count(e.id)) AS sentence
  FROM transactions AS t
  LEFT JOIN audit_entries AS e ON e.subject_id = t.id::text AND e.actor_id IS NOT DISTINCT FROM decider_of(t)
    AND e.after ->> 'status' = CASE WHEN is_approved(t.type, t.status) THEN 'APPROVED' ELSE t.status END
  WHERE t.type IN (${DECIDED_TYPES}) AND t.status <> 'PENDING'
  GROUP BY t.id, t.status, t.decided_by, t.user_id
  HAVING count(e.id) <> 1 OR t.decided_by = t.user_id`

/** One sentence for each broken invariant. Rejects when the database does not answer. */
export const brokenInvariants = async ({
  db,
  pool,
}: Pick<Database, 'db' | 'pool'>): Promise<readonly string[]> => {
  const ledger = findingOf(await checkLedger(db))
  const found = ledger === undefined ? [] : [ledger]
  for (const query of [negative, wrongInterest, brokenPayouts, unrecorded]) {
    const { rows } = await pool.query<{ sentence: string }>(query)
    found.push(...rows.map(({ sentence }) => sentence))
  }
  return found
}

/** The state of every deposit and withdrawal, by id. */
export type States = ReadonlyMap<string, string>

export const readStates = async ({ pool }: Pick<Database, 'pool'>): Promise<States> => {
  const { rows } = await pool.query<{ id: string; state: string }>(
    `SELECT id, type || ' ' || status AS state FROM transactions WHERE type IN (${DECIDED_TYPES})`,
  )
  return new Map(rows.map(({ id, state }) => [id, state]))
}

/** The legal later states; other states are final (I7). */
const moves: Readonly<Record<string, readonly string[]>> = {
  'deposit PENDING': ['deposit APPROVED', 'deposit REJECTED', 'deposit EXPIRED'],
  'withdrawal PENDING': [
    'withdrawal APPROVED',
    'withdrawal REJECTED',
    'withdrawal PROCESSING',
    'withdrawal COMPLETED',
    'withdrawal RETURNED',
  ],
  'withdrawal APPROVED': ['withdrawal PROCESSING', 'withdrawal COMPLETED', 'withdrawal RETURNED'],
  'withdrawal PROCESSING': ['withdrawal COMPLETED', 'withdrawal RETURNED'],
}

/** One sentence for each row that was lost or changed illegally since an earlier state. */
export const illegalMoves = (before: States, after: States): readonly string[] =>
  [...before]
    .filter(
      ([id, state]) => state !== after.get(id) && !moves[state]?.includes(after.get(id) ?? ''),
    )
    .map(([id, state]) => `transaction ${id} was ${state} and then ${after.get(id) ?? 'gone'}`)
