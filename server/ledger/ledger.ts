import type { MovementName } from '@pool/contract/ledger'
import { type Cents, cents, dollarsFromCents } from '@pool/contract/money'
import { Refusal, refusal, refusalFrom } from '@pool/contract/refusals'
import type { Pool } from 'pg'
import { batched } from '../db/batch.ts'
import { violatedConstraint } from '../db/errors.ts'
import { type Operation, operationRecord, type Posted, type Refused } from './operation.ts'
import { type Matured, payMatured } from './payMatured.ts'

/** The one door through which money moves. */
export type Ledger = {
  /**
   * Posts an operation: resolves once it is durable. Throws a {@link Refusal} when a rule or a
   * balance forbids it, when too much is waiting, or when its outcome cannot be known.
   */
  readonly post: (operation: Operation) => Promise<Posted>
  /** What a user can spend, in cents; zero for someone without accounts. */
  readonly available: (userId: string) => Promise<Cents>
  /**
   * Pays at most so many investments that have matured, beside the groups: see {@link payMatured}.
   */
  readonly payMatured: (most: number) => Promise<Matured>
  /** How many operations wait for a group. */
  readonly waiting: () => number
  /** Resolves once everything posted so far has been answered. */
  readonly drain: () => Promise<void>
}

/** Who is told how the posting goes; at each operation, so it has to be quick. */
export type LedgerObserver = {
  readonly group: (size: number) => void
  /** `outcome` is `posted`, or the code of the refusal. */
  readonly outcome: (movement: MovementName, outcome: string) => void
}

type Waiting = {
  readonly operation: Operation
  readonly resolve: (posted: Posted) => void
  readonly reject: (reason: unknown) => void
}

/** The most operations in one group: bounds how long its rows stay locked. */
const GROUP_LIMIT = 512
/** The most operations that may wait; one more is refused at once rather than answered too late. */
const WAITING_LIMIT = 8_192
/** The longest posting of a group; then the operations that wait behind it are refused. */
const GROUP_TIMEOUT_MS = 10_000
/** How often a group is tried again after losing to another process. */
const RETRIES = 5

/**
 * Group commit (docs/product.md 4.7): while one group is being committed, the operations that
 * arrive form the next one, which is posted in one SQL call. No timer: an operation that finds
 * nothing under way goes at once; under load, groups grow by themselves. Operations are posted in
 * the order of their arrival. Any number of processes may do this on one database.
 */
export const openLedger = (
  pool: Pool,
  {
    waitingLimit = WAITING_LIMIT,
    observer,
  }: { waitingLimit?: number; observer?: LedgerObserver | undefined } = {},
): Ledger => {
  let waiting: Waiting[] = []
  let committing: Promise<void> | undefined
  const available = batched((userIds: readonly string[]) => availableBalances(pool, userIds))

  const refuseWaiting = (): void => {
    const late = waiting
    waiting = []
    for (const { reject } of late) reject(refusal('busy'))
  }

  const commitGroups = async (): Promise<void> => {
    // What arrived with the first, in the same turn of the event loop, goes along.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP_LIMIT)
      waiting = waiting.slice(GROUP_LIMIT)
      observer?.group(group.length)
      const refusing = setInterval(refuseWaiting, GROUP_TIMEOUT_MS)
      const answer = await postGroup(pool, group)
      clearInterval(refusing)
      // Those who wait are on their way to the database before these are answered: it is to work
      // meanwhile.
      if (waiting.length === 0) answer()
      else setImmediate(answer)
    }
    committing = undefined
  }

  return {
    post: (operation) =>
      new Promise((resolve, reject) => {
        const member = observer
          ? observed({ operation, resolve, reject }, observer)
          : { operation, resolve, reject }
        if (waiting.length >= waitingLimit) return member.reject(refusal('busy'))
        waiting.push(member)
        committing ??= commitGroups()
      }),
    available: async (userId) => cents((await available(userId)) ?? 0n),
    payMatured: async (most) => {
      const batch = await payMatured(pool, most)
      for (let count = 0; count < batch.matured; count += 1)
        observer?.outcome('investment_matured', 'posted')
      return batch
    },
    waiting: () => waiting.length,
    drain: async () => committing,
  }
}

const observed = (
  { operation, resolve, reject }: Waiting,
  { outcome }: LedgerObserver,
): Waiting => ({
  operation,
  resolve: (posted) => {
    outcome(operation.movement, 'posted')
    resolve(posted)
  },
  reject: (reason) => {
    outcome(operation.movement, reason instanceof Refusal ? reason.code : 'internal')
    reject(reason)
  },
})

/** Posts a group; what it returns answers each of its members. Never rejects. */
const postGroup = async (pool: Pool, group: readonly Waiting[]): Promise<() => void> => {
  try {
    const outcomes = await callPostOperations(pool, group)
    return () =>
      group.forEach(({ operation, resolve, reject }, position) => {
        const outcome = outcomes[position]
        if (outcome === undefined) reject(refusal('outcomeUnknown'))
        else if ('refused' in outcome) reject(refusalFor(outcome, operation))
        else resolve(outcome)
      })
  } catch (error) {
    if (isRefusedByDatabase(error) && group.length > 1) {
      // The database refused the whole group because of a member that no rule foresaw: each is
      // tried alone, so that only that one fails.
      const answers: (() => void)[] = []
      for (const member of group) answers.push(await postGroup(pool, [member]))
      return () => {
        for (const answer of answers) answer()
      }
    }
    const reason = reasonOf(error)
    return () => {
      for (const { reject } of group) reject(reason)
    }
  }
}

/**
 * What a caller is told whose operation the database did not take. Without an answer nobody knows
 * whether it was committed; only a repeat under the same key can tell.
 */
const reasonOf = (error: unknown): unknown => {
  if (isRefusedByDatabase(error)) return error
  return wroteNothing(error)
    ? refusal('unavailable')
    : Object.assign(refusal('outcomeUnknown'), { cause: error })
}

const callPostOperations = async (
  pool: Pool,
  group: readonly Waiting[],
): Promise<readonly (Posted | Refused)[]> => {
  const batch = JSON.stringify(group.map(({ operation }) => operationRecord(operation)))
  for (let attempt = 0; ; attempt += 1) {
    try {
      const { rows } = await pool.query<{ outcomes: (Posted | Refused)[] }>({
        name: 'post_operations',
        text: 'SELECT post_operations($1::json) AS outcomes',
        values: [batch],
      })
      return rows[0]?.outcomes ?? []
    } catch (error) {
      if (!isLostRace(error) || attempt === RETRIES) throw error
    }
  }
}

const availableBalances = async (
  pool: Pool,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, bigint>> => {
  const { rows } = await pool.query<{ owner_id: string; balance: bigint }>({
    name: 'available_balances',
    text: "SELECT owner_id, balance FROM accounts WHERE owner_id = ANY ($1::uuid[]) AND kind = 'available'",
    values: [userIds],
  })
  return new Map(rows.map(({ owner_id, balance }) => [owner_id, balance]))
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/**
 * Rolled back for being in another process's way (serialization failure, deadlock, lock time-out,
 * the same evidence at the same moment): nothing happened, so it may be tried again, and then finds
 * what the other left.
 */
const isLostRace = (error: unknown): boolean =>
  ['40001', '40P01', '55P03'].includes(codeOf(error)) ||
  violatedConstraint(error) === 'transactions_evidence_once'

/**
 * The database was never asked, or had no room (class 53): no connection, all of them busy, disk
 * full.
 */
const wroteNothing = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ENOENT', 'EAGAIN', '57P03'].includes(codeOf(error)) ||
  codeOf(error).startsWith('53') ||
  (error instanceof Error && error.message.includes('timeout exceeded when trying to connect'))

/**
 * The database itself answered with an error of the statement, so it rolled back. Classes 08, 53,
 * 57 and 58 are the connection or the server failing.
 */
const isRefusedByDatabase = (error: unknown): boolean =>
  /^[0-9A-Z]{5}$/.test(codeOf(error)) && !/^(08|53|57|58)/.test(codeOf(error))

const refusalFor = (outcome: Refused, { movement, id }: Operation): Error => {
  if (outcome.refused === 'internal') return new Error(`${movement} ${id} ${outcome.why}`)
  if (outcome.refused === 'insufficientFunds')
    return refusal('insufficientFunds', {
      balance: dollarsFromCents(cents(BigInt(outcome.balance))),
    })
  // Another version of the product may have stored the outcome under an idempotency key.
  return (
    refusalFrom(outcome) ??
    new Error(`${movement} ${id} was refused by an unknown code: ${JSON.stringify(outcome)}`)
  )
}
