// The rows of the database. Written by `npm run schema:dump`, compared by a test. Never edit it.
import type { PauseName } from '@pool/contract/pauses'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Inserted by SQL functions, never from here. */
type InSql<T> = ColumnType<T, never, T>

export type Schema = {
  /** The accounts of the double-entry ledger: three of each investor, four of the pool. */
  accounts: {
    id: GeneratedAlways<bigint>
    /** An investor, or the nil UUID for the pool. */
    owner_id: string
    kind: 'available' | 'held' | 'invested' | 'custody' | 'operator' | 'reserve' | 'committed'
    /**
     * Cents, written only by the trigger transfers_change_balances. NULL if it may go below zero.
     * Such a balance is read from the transfers, so no posting locks the row.
     */
    balance: bigint | null
  }
  /** Most cents that one person decides alone in 24 hours. One row. */
  approval_limits: {
    only_row: Generated<boolean>
    /** Limit for one investor, and for one approver. */
    per_person: bigint
    /** Limit for all investors and approvers together. */
    per_pool: bigint
  }
  /** Approvals of deposits and withdrawals that need two people. Final. */
  approvals: {
    transaction_id: InSql<string>
    approved_by: InSql<string>
    created_at: InSql<Date>
    /** The approved address. Empty for a deposit. */
    payee_address: InSql<string>
  }
  /**
   * The audit trail: actor, moment, source and changes of each act, in its transaction. Final.
   */
  audit_entries: {
    id: GeneratedAlways<bigint>
    created_at: Generated<Date>
    /** NULL unless the actor is a signed-in user. */
    actor_id: string | null
    /** A username, 'system', or the operator. */
    actor: string
    action: string
    subject_type: string
    subject_id: string
    /** The user that the entry concerns, if any. */
    owner_id: string | null
    /** An IP address, 'operator' or 'job'. */
    source: string
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
    reason: string | null
    /** Makes the entry unique, so that a copy is refused. */
    nonce: string | null
    /** MAC by a key that the database never holds. NULL in entries older than signing. */
    mac: string | null
  }
  /** Hash chain over the entries, in its own order, since ids do not commit in order. */
  audit_seals: {
    position: InSql<bigint>
    /**
     * Has no foreign key, whose check would need the right to change entries. `audit:check` looks.
     */
    entry_id: InSql<bigint>
    /** HMAC-SHA-256 of the previous hash and of the entry. SHA-256 without a key. */
    hash: InSql<Buffer>
    /** Id of the key. NULL in seals older than signing. */
    key_id: InSql<string | null>
  }
  /**
   * Entries that wait for their seal. An entry in neither table was inserted past the product.
   */
  audit_unsealed: {
    entry_id: InSql<bigint>
  }
  /** Capital that the operator put into the reserve. */
  contributions: {
    id: InSql<string>
    /** Cents. */
    amount: InSql<bigint>
    note: InSql<string>
    /** The operator's name for themselves. */
    contributed_by: InSql<string>
    created_at: InSql<Date>
  }
  /** Outcomes of money calls, so that a repeat with the same key gets the same response. */
  idempotency_keys: {
    actor_id: string
    key: string
    /** Digest of the request. The same key with another request is refused. */
    request_hash: string
    outcome: unknown
    created_at: Generated<Date>
  }
  /**
   * Principal at work at fixed interest. ACTIVE, then COMPLETED once. No other column changes.
   */
  investments: {
    id: InSql<string>
    /** Has no foreign key. The trigger investments_have_owners checks all new owners at once. */
    user_id: InSql<string>
    /** Cents. */
    principal: InSql<bigint>
    /** Interest for the whole duration, in hundredths of a percent of the principal. */
    rate_basis_points: InSql<number>
    /** Cents, set aside in the reserve when it was opened. */
    interest: InSql<bigint>
    duration_days: InSql<number>
    status: InSql<'ACTIVE' | 'COMPLETED'>
    matures_at: InSql<Date>
    created_at: InSql<Date>
    updated_at: InSql<Date>
  }
  /** Hourly recomputations of the ledger, from all nodes. */
  ledger_checks: {
    id: GeneratedAlways<bigint>
    checked_at: Generated<Date>
    /** Number of recomputed accounts. */
    accounts: number
    /** Number of transfers read. */
    transfers: bigint
    /** The first fault. NULL when there is none. */
    finding: string | null
  }
  /**
   * Failed sign-ins of all nodes by user, by IP and by both, and registrations by range of IPs.
   */
  login_throttles: {
    /** Digest of the counted user, IP or range. */
    key: Buffer
    /** Number of failures, or of all registrations in an hour. */
    failures: number
    /** The last attempt, or the first registration of the hour. */
    last_at: Date
    /** The last sign-in of this user from this IP. NULL in other rows. */
    succeeded_at: Date | null
  }
  migrations: {
    number: number
    name: string
    digest: string
    applied_at: Generated<Date>
  }
  /** Pauses of deposits, withdrawals and investing. Earlier requests and maturities go on. */
  pauses: {
    name: PauseName
    /** The movement that a pause refuses. */
    movement: string
    /** NULL without a pause, like its actor and its reason. */
    paused_at: Date | null
    paused_by: string | null
    reason: string | null
  }
  /** Every payout address that an investor saved. Rows stay, and the newest usable one counts. */
  payout_addresses: {
    id: string
    user_id: string
    address: string
    network_name: string
    created_at: Generated<Date>
    /** After created_at for a replacement, so that its owner can stop a thief. */
    usable_from: Date
  }
  routines: {
    digest: string
    objects: unknown
  }
  /** Sessions of signed-in users. Deleted when they end. */
  sessions: {
    /** SHA-256 of the token. The token is not stored, so reading this table gives no access. */
    token_hash: Buffer
    user_id: string
    created_at: Generated<Date>
    /** Written every 30 seconds of use. Has no index, so that the row is rewritten on its page. */
    last_used_at: Generated<Date>
  }
  /** Numbers of rows and their sums. Changed in the transaction that changes the rows. */
  tallies: {
    /** A table, or decisions and maturities, which are rows by their last day. */
    noun: string
    /** In UTC. -infinity holds all days together. */
    day: Date
    /** A type, network or action. Empty where rows have none. */
    kind: string
    /** Empty where rows have none. */
    status: string
    /**
     * Concurrent transactions write to different slots, so that none waits. A tally sums its slots.
     */
    slot: number
    rows: bigint
    /** The sum of amounts, or of principals. */
    cents: bigint
    /** Cents, of investments. */
    interest: bigint
  }
  /**
   * Requests and receipts of an investor. PENDING, then one final status. No other column
   * changes.
   */
  transactions: {
    id: InSql<string>
    /** Has no foreign key. The trigger transactions_have_owners checks all new owners at once. */
    user_id: InSql<string>
    type: InSql<'deposit' | 'withdrawal' | 'investment' | 'payout'>
    /** Cents. */
    amount: InSql<bigint>
    status: InSql<'PENDING' | 'APPROVED' | 'REJECTED' | 'COMPLETED' | 'PROCESSING' | 'EXPIRED'>
    description: InSql<string>
    /** Deposit: the wallet that receives it. */
    wallet_id: InSql<string | null>
    /** Withdrawal: the text that the investor wrote. */
    destination_address: InSql<string>
    /** Investment or payout: no foreign key, since transactions_have_investments checks it. */
    investment_id: InSql<string | null>
    /** The approver's reason for a rejection, or empty. */
    reason: InSql<string>
    /** NULL while pending, and after an expiry. */
    decided_by: InSql<string | null>
    created_at: InSql<Date>
    /** The moment of the decision, once there is one. */
    updated_at: InSql<Date>
    /** Withdrawal: the network that the investor named, else empty. */
    destination_network: InSql<string>
    /** Number of people who must decide. Becomes 2 when a limit demands it. */
    approvals_needed: InSql<number>
    /** The network of the evidence. */
    evidence_network: InSql<string | null>
    /** On-chain transaction that the confirmation of a deposit rests on. */
    evidence: InSql<string | null>
    /** The address that a withdrawal was approved for, else NULL. */
    payee_address: InSql<string | null>
  }
  /** Money moved from one account to another, so the ledger sums to zero. Rows never change. */
  transfers: {
    id: GeneratedAlways<bigint>
    /** The movement that it belongs to (ledger/movements.ts). */
    movement: InSql<string>
    /** The transaction, investment or contribution that caused it. */
    reference_id: InSql<string>
    /**
     * Has no foreign key, nor has to_account_id. Their checks would take a third of a posting.
     * Accounts are never deleted, and the ledger check finds transfers of others.
     */
    from_account_id: InSql<bigint>
    to_account_id: InSql<bigint>
    /** Cents. */
    amount: InSql<bigint>
    created_at: InSql<Date>
  }
  /** Roles of users. A revoked role is deleted. */
  user_roles: {
    user_id: string
    role: 'USER' | 'ADMIN' | 'SUPER_ADMIN'
    granted_at: Generated<Date>
  }
  /** People who can sign in. Rows stay and keep their ids. */
  users: {
    id: string
    /** The email address, in lower case. */
    username: string
    /** Argon2id, in the PHC format. */
    password_hash: string
    first_name: string
    last_name: string
    /** Two letters, as registration sent them. */
    country: string
    created_at: Generated<Date>
    updated_at: Generated<Date>
    /** Moment of the suspension. NULL when the user may sign in. */
    suspended_at: Date | null
  }
  /** New assignments of wallets, counted by the limits. Kept for a day, without owners. */
  wallet_assignments: {
    /** Digest of the requesting range of IP addresses. */
    source: Buffer
    assigned_at: Date
  }
  /** Addresses that investors send deposits to. */
  wallets: {
    id: string
    address: string
    network_name: string
    /** The investor that it is assigned to, for good. NULL when available. */
    owner_id: string | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
}
