/**
 * The judge: compares the clients' knowledge with the database after any fault (docs/threats.md,
 * "Invariants").
 */
import { readFileSync } from 'node:fs'
import type { Database } from '../server/base/db/connection.ts'
import { type Funds, wrongBalances } from './balances.ts'
import { brokenInvariants, DECIDED_TYPES } from './invariants.ts'
import { MONEY, type Operation } from './plan.ts'

/** The outcomes that the load has written. */
export const readOperations = (file: string): Operation[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Operation)

export const isMoney = ({ kind }: Operation): boolean => MONEY.some((each) => each === kind)

/**
 * Figures of a run: operations by outcome, and the longest milliseconds without an acknowledgement
 * about money, and without a balance.
 */
export type Figures = {
  readonly acknowledged: number
  readonly refused: number
  readonly unknown: number
  readonly resolved: number
  readonly longestGap: number
  readonly longestReadGap: number
  /** The acknowledged operations outside money, by kind. */
  readonly others: Readonly<Record<string, number>>
}

const longestGapOf = (operations: readonly Operation[]): number => {
  const times = operations.filter(({ outcome }) => outcome === 'acknowledged').map(({ at }) => at)
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at))
  return Math.round(gaps.reduce((longest, gap) => Math.max(longest, gap), 0))
}

export const figuresOf = (operations: readonly Operation[]): Figures => {
  const count = (outcome: Operation['outcome']) =>
    operations.filter((each) => each.outcome === outcome).length
  const others: Record<string, number> = {}
  for (const each of operations)
    if (!isMoney(each) && each.outcome === 'acknowledged')
      others[each.kind] = (others[each.kind] ?? 0) + 1
  return {
    acknowledged: count('acknowledged'),
    refused: count('refused'),
    unknown: count('unknown'),
    resolved: operations.filter(({ wasUnknown, outcome }) => wasUnknown && outcome !== 'unknown')
      .length,
    longestGap: longestGapOf(operations.filter(isMoney)),
    longestReadGap: longestGapOf(operations.filter(({ kind }) => kind === 'balance')),
    others,
  }
}

/** The legal number of effects: one if acknowledged, none if refused, at most one if unknown. */
const allowed: Readonly<Record<Operation['outcome'], readonly number[]>> = {
  acknowledged: [1],
  refused: [0],
  unknown: [0, 1],
  answeredDifferently: [],
}

/**
 * One sentence for each contradiction between clients and database. Also computes the balances of
 * the investors in `funds`.
 */
export const contradictions = async (
  operations: readonly Operation[],
  database: Pick<Database, 'pool' | 'db'>,
  funds: Funds = new Map(),
): Promise<readonly string[]> => [
  ...(await miscounted(operations.filter(isMoney), funds, database)),
  ...(await unrecorded(operations, database)),
  ...doneTooLate(operations),
  ...operations
    .filter(({ missing = 0 }) => missing > 0)
    .map(
      ({ missing }) =>
        `a list lacked ${missing} rows that were acknowledged before it was asked for`,
    ),
  ...(await brokenInvariants(database)),
]

/**
 * Operations with an illegal number of effects, and balances that contradict them. Read in one
 * snapshot, since unknown operations may still be committed.
 */
const miscounted = async (
  operations: readonly Operation[],
  funds: Funds,
  { pool }: Pick<Database, 'pool'>,
): Promise<readonly string[]> => {
  const client = await pool.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const timesOf = await countAll(client)
    const counted = operations.map((operation) => ({ operation, times: timesOf(operation) }))
    // The client's knowledge counts: a row under another's name is not its own.
    const done = counted.filter(
      ({ operation: { outcome }, times }) =>
        outcome === 'acknowledged' || (outcome === 'unknown' && times === 1),
    )
    return [
      ...counted
        .filter(({ operation, times }) => !allowed[operation.outcome].includes(times))
        .map(
          ({ operation: { kind, key, outcome, answers }, times }) =>
            `${kind} ${key} was ${outcome} and is there ${times} times${answers ? `: ${JSON.stringify(answers)}` : ''}`,
        ),
      ...(await wrongBalances(
        done.map(({ operation }) => operation),
        funds,
        client,
      )),
    ]
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

/** Returns the number of effects of an operation. */
const countAll = async (
  client: Pick<Database['pool'], 'query'>,
): Promise<(operation: Operation) => number> => {
  const texts = await client.query<{ description: string; count: number }>(
    `SELECT description, count(*)::int AS count FROM transactions WHERE type IN (${DECIDED_TYPES}) GROUP BY 1`,
  )
  const investments = await client.query<{ user_id: string; principal: bigint; count: number }>(
    'SELECT user_id, principal, count(*)::int AS count FROM investments GROUP BY 1, 2',
  )
  const decided = await client.query<{ id: string; status: string; decided_by: string }>(
    `SELECT id, status, decided_by FROM transactions WHERE type IN (${DECIDED_TYPES}) AND decided_by IS NOT NULL`,
  )
  const byText = new Map(texts.rows.map(({ description, count }) => [description, count]))
  const byAmount = new Map(
    investments.rows.map(({ user_id, principal, count }) => [`${user_id} ${principal}`, count]),
  )
  const decisions = new Set(
    decided.rows.map(({ id, status, decided_by }) => `${id} ${status} ${decided_by}`),
  )
  return ({ kind, key, userId, cents, transactionId, decision }) => {
    if (kind === 'decision') return decisions.has(`${transactionId} ${decision} ${userId}`) ? 1 : 0
    return (kind === 'investment' ? byAmount.get(`${userId} ${cents}`) : byText.get(key)) ?? 0
  }
}

/** The audit entry of each act. Every look checks those of decisions (I12). */
const entryOf = {
  logout: 'session.ended',
  password: 'password.changed',
  granted: 'role.granted',
  revoked: 'role.revoked',
} as const

/** Acts with a wrong number of audit entries, and roles that differ from the audit trail. */
const unrecorded = async (
  operations: readonly Operation[],
  { pool }: Pick<Database, 'pool'>,
): Promise<readonly string[]> => {
  const found: string[] = []
  for (const [kind, action] of Object.entries(entryOf)) {
    const acts = operations.filter((operation) => operation.kind === kind)
    for (const userId of new Set(acts.map((each) => each.userId))) {
      const own = acts.filter((each) => each.userId === userId)
      const { rows } = await pool.query(
        'SELECT count(*)::int AS count FROM audit_entries WHERE subject_id = $1 AND action = $2',
        [userId, action],
      )
      const least = own.filter(({ outcome }) => outcome === 'acknowledged').length
      const most = least + own.filter(({ outcome }) => outcome === 'unknown').length
      if (rows[0].count < least || rows[0].count > most)
        found.push(
          `${kind} of ${userId} was acknowledged ${least} times, is unknown ${most - least} times, and is on record ${rows[0].count} times`,
        )
    }
  }
  for (const userId of new Set(
    operations.filter(({ kind }) => kind === 'granted').map((each) => each.userId),
  )) {
    const { rows } = await pool.query(
      `SELECT (SELECT count(*) FILTER (WHERE action = 'role.granted') - count(*) FILTER (WHERE action = 'role.revoked') FROM audit_entries WHERE subject_id = $1)::int AS recorded,
        (SELECT count(*) FROM user_roles WHERE user_id::text = $1 AND role = 'ADMIN')::int AS roles`,
      [userId],
    )
    if (rows[0].recorded !== rows[0].roles)
      found.push(
        `${userId} has ${rows[0].roles} roles ADMIN, and by the record ${rows[0].recorded}`,
      )
  }
  return found
}

/** Operations sent after the acknowledged end of their session that took effect (I13). */
const doneTooLate = (operations: readonly Operation[]): readonly string[] => {
  const endOf = new Map(
    operations.flatMap(({ ends, outcome, at }) =>
      ends !== undefined && outcome === 'acknowledged' ? [[ends, at] as const] : [],
    ),
  )
  return operations
    .filter(
      ({ session, sentAt = 0, outcome }) =>
        outcome === 'acknowledged' &&
        sentAt > (endOf.get(session ?? '') ?? Number.POSITIVE_INFINITY),
    )
    .map(
      ({ kind, key }) =>
        `${kind} ${key} was acknowledged though its session had ended before it was sent`,
    )
}
