/** What must hold after any fault (the invariants of the threat model), from what the clients know and what the database has. */
import { readFileSync } from 'node:fs'
import type { Database } from '../server/db/connection.ts'
import type { Operation } from './plan.ts'

/** What the load process has written so far. */
export const readOperations = (file: string): Operation[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Operation)

/** Figures of a run: how many operations ended how, and the longest time in milliseconds in which none was acknowledged. */
export type Figures = {
  readonly acknowledged: number
  readonly refused: number
  readonly unknown: number
  readonly resolved: number
  readonly longestGap: number
}

export const figuresOf = (operations: readonly Operation[]): Figures => {
  const count = (outcome: Operation['outcome']) => operations.filter((each) => each.outcome === outcome).length
  const times = operations.filter(({ outcome }) => outcome === 'acknowledged').map(({ at }) => at)
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at))
  return {
    acknowledged: count('acknowledged'),
    refused: count('refused'),
    unknown: count('unknown'),
    resolved: operations.filter(({ wasUnknown, outcome }) => wasUnknown && outcome !== 'unknown').length,
    longestGap: Math.max(0, ...gaps),
  }
}

/** How often an operation may be there: once if it was acknowledged, never if it was refused, at most once if nobody knows. */
const allowed: Readonly<Record<Operation['outcome'], readonly number[]>> = {
  acknowledged: [1],
  refused: [0],
  unknown: [0, 1],
  answeredDifferently: [],
}

/** Sentences that say what the database has more or less often than it may; none when all is well. */
export const contradictions = async (operations: readonly Operation[], pool: Database['pool']): Promise<readonly string[]> => {
  const [texts, investments, decided] = [
    await pool.query<{ description: string; count: number }>(
      "SELECT description, count(*)::int AS count FROM transactions WHERE type IN ('deposit', 'withdrawal') GROUP BY 1",
    ),
    await pool.query<{ user_id: string; principal: bigint; count: number }>(
      'SELECT user_id, principal, count(*)::int AS count FROM investments GROUP BY 1, 2',
    ),
    await pool.query<{ id: string; status: string }>("SELECT id, status FROM transactions WHERE type = 'withdrawal'"),
  ]
  const byText = new Map(texts.rows.map(({ description, count }) => [description, count]))
  const byAmount = new Map(investments.rows.map(({ user_id, principal, count }) => [`${user_id} ${principal}`, count]))
  const statusOf = new Map(decided.rows.map(({ id, status }) => [id, status]))

  const times = ({ kind, key, userId, cents, transactionId, decision }: Operation): number => {
    if (kind === 'decision') return statusOf.get(transactionId ?? '') === decision ? 1 : 0
    return (kind === 'investment' ? byAmount.get(`${userId} ${cents}`) : byText.get(key)) ?? 0
  }
  const wrong = operations
    .filter((operation) => !allowed[operation.outcome].includes(times(operation)))
    .map((operation) => `${operation.kind} ${operation.key} was ${operation.outcome} and is there ${times(operation)} times`)
  return [...wrong, ...(await wrongInterest(pool)), ...(await brokenPayouts(pool))]
}

/** The interest of every investment, reckoned anew: its rate of the principal, rounded down to the cent. */
const wrongInterest = async (pool: Database['pool']): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM investments WHERE interest <> div(principal::numeric * rate_basis_points, 10000)',
  )
  return rows.map(({ id }) => `investment ${id} has not the interest of its rate`)
}

/** One payout for each investment that is completed, none for another, and none before its time. */
const brokenPayouts = async (pool: Database['pool']): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ id: string; payouts: number }>(`
    SELECT i.id, count(t.id)::int AS payouts
    FROM investments AS i LEFT JOIN transactions AS t ON t.investment_id = i.id AND t.type = 'payout'
    GROUP BY i.id, i.status, i.principal, i.interest, i.matures_at
    HAVING count(t.id) <> (i.status = 'COMPLETED')::int OR bool_or(t.amount <> i.principal + i.interest) OR bool_or(t.created_at < i.matures_at)`)
  return rows.map(({ id, payouts }) => `investment ${id} has ${payouts} payouts, or one that is not its own`)
}
