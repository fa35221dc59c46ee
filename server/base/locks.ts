/**
 * Advisory locks of the database, by name. Only this file has their numbers, and a check proves it.
 * SQL of the rooms names one as `:lock(groups)`.
 */
import { type QueryExecutorProvider, sql } from 'kysely'

export const LOCKS = {
  /** Users and IPs that sign in, each by a digest. */
  signIns: 7,
  /** The product that serves an embedded database. */
  product: 7_031_984,
  /** A start that migrates. */
  migration: 7_031_985,
  /** The process that seals the audit trail. */
  seals: 7_031_986,
  /**
   * Shared by each group, and by each other act that is recorded. Taken alone by a pause, the end
   * of a session, a suspension, a revoked role, an agreed proposal.
   */
  groups: 7_031_987,
  /** Slots of the tallies, each of one writer. */
  tallies: 7_031_989,
  /** Changes of the owners of wallets and of own addresses, and new ones. */
  owners: 7_031_990,
  /** Groups that count what one person decides alone. */
  approvals: 7_031_991,
  /** Groups whose acts rest on a transaction of a chain. */
  evidence: 7_032_007,
  /** Investors who ask for a deposit, or whose address is archived, each by a digest. */
  deposits: 7_031_992,
  /** The partitions of movements: new months, and the archive of old ones. */
  months: 7_031_993,
  /** Networks that a process follows, each by a digest. */
  followers: 7_031_994,
  /** A start that sets or reads the pool's mode. */
  mode: 7_031_995,
  /** Runners of jobs that live, each by a digest of its name. */
  runners: 7_031_996,
  /** Networks whose payouts are matched with batches, each by a digest. */
  payouts: 7_031_997,
  /** The process that posts movements of coins. */
  coinMovements: 7_031_998,
  /** The process that compares coins on the chains with the books. */
  reconciliation: 7_031_999,
  /** Plans with a capacity in which a group invests, each by its days. */
  plans: 7_032_000,
  /** The process that makes the tree of what investors are owed. */
  liabilities: 7_032_001,
  /** Groups that disburse loans, which count what one borrower owes. */
  lending: 7_032_002,
  /** Payments that mark a withdrawal as sent, each by a digest. */
  marks: 7_032_003,
  /** People who ask for a withdrawal, each by a digest. */
  withdrawals: 7_032_004,
  /** A batch that is written, which counts the others of its maker. */
  batches: 7_032_005,
  /** Networks whose balances are compared with payments, each by a digest. */
  balances: 7_032_006,
  /** An import of a file of borrowers or loans. */
  files: 7_032_084,
} as const

export type LockName = keyof typeof LOCKS

/** SQL that waits for a lock and keeps it until the transaction ends. */
export const lockSql = (name: LockName): string => `SELECT pg_advisory_xact_lock(${LOCKS[name]})`

/** The same, beside others that share the lock. */
export const shareSql = (name: LockName): string =>
  `SELECT pg_advisory_xact_lock_shared(${LOCKS[name]})`

/** Waits for a lock and keeps it until the transaction ends. With a text, for that text alone. */
export const takeLock = async (
  transaction: QueryExecutorProvider,
  name: LockName,
  of?: string,
): Promise<void> => {
  const taken =
    of === undefined
      ? sql.raw(lockSql(name))
      : sql`SELECT pg_advisory_xact_lock(${sql.lit(LOCKS[name])}, hashtext(${of}))`
  await taken.execute(transaction)
}

/** Waits for who has a lock alone. Others share it until the transaction ends. */
export const shareLock = async (
  transaction: QueryExecutorProvider,
  name: LockName,
): Promise<void> => {
  await sql.raw(shareSql(name)).execute(transaction)
}

/** Replaces each `:lock(name)` of a room's SQL by its number. Throws for an unknown name. */
export const withLocks = (text: string): string =>
  text.replaceAll(/:lock\((\w*)\)/g, (_, name: string) => {
    if (!Object.hasOwn(LOCKS, name)) throw new Error(`There is no lock named "${name}".`)
    return String(LOCKS[name as LockName])
  })
