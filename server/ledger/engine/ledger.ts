import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import { Refusal, refusal, refusalFrom } from '@pool/contract/base/refusals'
import type { MovementName } from '@pool/contract/money/ledger'
import type { Pool } from 'pg'
import { batched } from '../../base/db/batch.ts'
import { READ_ONLY, violatedConstraint } from '../../base/db/errors.ts'
import type { Outcome, Posted, Refused } from '../families/movement.ts'
import type { Operation } from '../families/movements.ts'
import { openBusyClock } from './busyClock.ts'
import { isAlone } from './operation.ts'
import { type Matured, payMatured } from './payMatured.ts'
import { isBeforeWriting, postGroup } from './postGroup.ts'

/** The only way to move money. */
export type Ledger = {
  /**
   * Resolves once the operation is durable. Throws a {@link Refusal} when a rule or balance forbids
   * it, the queue is full, or the outcome is unknown.
   */
  readonly post: (operation: Operation) => Promise<Posted>
  /** The cents that a user can spend. Zero for a user without accounts. */
  readonly available: (userId: string) => Promise<Cents>
  /** Pays up to `most` matured investments, beside the groups: {@link payMatured}. */
  readonly payMatured: (most: number) => Promise<Matured>
  /** The number of operations that wait for a group. */
  readonly waiting: () => number
  /** Milliseconds in which this process posted or paid. */
  readonly busyMs: () => number
  /** Resolves once every operation posted so far has its answer. */
  readonly drain: () => Promise<void>
}

/** Called for each group and operation, so it must be quick. */
export type LedgerObserver = {
  readonly group: (size: number) => void
  /** `outcome` is `posted`, or the code of the refusal. */
  readonly outcome: (movement: MovementName, outcome: string) => void
}

type WaitingOperation = {
  readonly operation: Operation
  readonly resolve: (posted: Posted) => void
  readonly reject: (reason: unknown) => void
}

/** The most operations in one group: bounds how long its rows stay locked. */
const GROUP_LIMIT = 512
/** The most operations that may wait. One more is refused at once. */
const WAITING_LIMIT = 8_192
/** The longest posting of a group; then the operations that wait behind it are refused. */
const GROUP_TIMEOUT_MS = 10_000
/** The number of retries for a group that lost a race to another process. */
const RETRIES = 5

/** The members of the next group: up to one that is decided alone, or that one. */
const sizeOfNext = (waiting: readonly WaitingOperation[]): number => {
  const alone = waiting.findIndex(({ operation }) => isAlone(operation))
  if (alone === 0) return 1
  return alone < 0 ? GROUP_LIMIT : Math.min(alone, GROUP_LIMIT)
}

type Posting = (operations: readonly Operation[]) => Promise<readonly Outcome[]>

/**
 * Group commit (docs/product.md 4.7): operations that arrive during a commit form the next group.
 * No timer delays a lone operation.
 */
export const openLedger = (
  pool: Pool,
  {
    waitingLimit = WAITING_LIMIT,
    observer,
    post = (operations) => postGroup(pool, operations),
  }: {
    waitingLimit?: number
    observer?: LedgerObserver | undefined
    /** Posts a group. */
    post?: Posting
  } = {},
): Ledger => {
  let waiting: WaitingOperation[] = []
  let committing: Promise<void> | undefined
  const clock = openBusyClock()
  const available = batched((userIds: readonly string[]) => availableBalances(pool, userIds))

  const refuseWaiting = (): void => {
    const late = waiting
    waiting = []
    const cause = new Error(`no answer to the group before within ${GROUP_TIMEOUT_MS} ms`)
    for (const { reject } of late) reject(Object.assign(refusal('busy'), { cause }))
  }

  const commitGroups = async (): Promise<void> => {
    // Operations of the same turn of the event loop join the first group.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const size = sizeOfNext(waiting)
      const group = waiting.slice(0, size)
      waiting = waiting.slice(size)
      observer?.group(group.length)
      const refusing = setInterval(refuseWaiting, GROUP_TIMEOUT_MS)
      const answer = await answerGroup(post, group)
      clearInterval(refusing)
      // Sends the next group before answering this one, to keep the database busy.
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
        committing ??= clock.during(commitGroups)
      }),
    available: async (userId) => cents((await available(userId)) ?? 0n),
    payMatured: async (most) => {
      const batch = await clock.during(() => payMatured(pool, most))
      for (let count = 0; count < batch.matured; count += 1)
        observer?.outcome('investment_matured', 'posted')
      return batch
    },
    waiting: () => waiting.length,
    busyMs: clock.ms,
    drain: async () => committing,
  }
}

const observed = (
  { operation, resolve, reject }: WaitingOperation,
  { outcome }: LedgerObserver,
): WaitingOperation => ({
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

/** Posts a group. Never rejects; the returned function answers the members. */
const answerGroup = async (
  post: Posting,
  group: readonly WaitingOperation[],
): Promise<() => void> => {
  try {
    const outcomes = await postUntilDone(
      post,
      group.map(({ operation }) => operation),
    )
    return () =>
      group.forEach(({ operation, resolve, reject }, position) => {
        const outcome = outcomes[position]
        if (outcome === undefined) reject(refusal('outcomeUnknown'))
        else if ('refused' in outcome) reject(refusalFor(outcome, operation))
        else resolve(outcome)
      })
  } catch (error) {
    if (isRefusedByDatabase(error) && group.length > 1) {
      // A member that no rule foresaw makes the database refuse the group. Retries each alone.
      const answers: (() => void)[] = []
      for (const member of group) answers.push(await answerGroup(post, [member]))
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
 * The error for callers of a failed group. Without an answer from the database, only a repeat under
 * the same idempotency key tells the outcome.
 */
const reasonOf = (error: unknown): unknown => {
  if (isRefusedByDatabase(error)) return error
  const code = wroteNothing(error) ? 'unavailable' : 'outcomeUnknown'
  return Object.assign(refusal(code), { cause: error })
}

const postUntilDone = async (
  post: Posting,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await post(operations)
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
 * Constraints that only a race with another process breaks, since {@link decide} keeps them. Each
 * month of movements has a primary key of its own.
 */
const LOST =
  /^(accounts_balance_not_negative|idempotency_keys_pkey|movements_\w+_pkey|transactions_evidence_once|loan_repayments_reference_once)$/

/**
 * Rolled back by a race with another process, or by a server that takes no writes. A retry is safe:
 * it sees the other's result, or finds the server that took over.
 */
export const isLostRace = (error: unknown): boolean =>
  // Serialization failure, deadlock, lock timeout.
  ['40001', '40P01', '55P03', READ_ONLY].includes(codeOf(error)) ||
  LOST.test(violatedConstraint(error) ?? '')

/** SQLSTATE of a cancelled statement. A commit that waits for a standby is not cancelled by one. */
const CANCELLED = '57014'

/** The group was not writing yet, or the database lacked connections or disk (class 53). */
const wroteNothing = (error: unknown): boolean =>
  isBeforeWriting(error) ||
  [CANCELLED, READ_ONLY].includes(codeOf(error)) ||
  codeOf(error).startsWith('53')

/**
 * The database refused the statement and rolled back. Classes 08, 53, 57 and 58 mean a failing
 * connection or server, and a read-only one refuses anything.
 */
const isRefusedByDatabase = (error: unknown): boolean =>
  /^[0-9A-Z]{5}$/.test(codeOf(error)) &&
  !/^(08|53|57|58)/.test(codeOf(error)) &&
  codeOf(error) !== READ_ONLY

/** The error that a caller gets for a refused operation. */
export const refusalFor = (outcome: Refused, { movement, id }: Operation): Error => {
  if (outcome.refused === 'internal') return new Error(`${movement} ${id} ${outcome.why}`)
  if (outcome.refused === 'insufficientFunds')
    return refusal('insufficientFunds', {
      balance: dollarsFromCents(cents(BigInt(outcome.balance))),
    })
  if (outcome.refused === 'amountDiffers')
    return refusal('amountDiffers', { amount: dollarsFromCents(cents(BigInt(outcome.amount))) })
  // A stored outcome may come from another version of the product.
  return (
    refusalFrom(outcome) ??
    new Error(`${movement} ${id} was refused by an unknown code: ${JSON.stringify(outcome)}`)
  )
}
