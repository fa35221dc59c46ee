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
     * Cents, written only by the trigger transfers_change_balances. NULL where it may go below
     * zero: it is read from the transfers then, and no posting locks the row.
     */
    balance: bigint | null
  }
  /** Up to these amounts one person decides alone, in cents in 24 hours. One row. */
  approval_limits: {
    only_row: Generated<boolean>
    /** About one investor, and by one approver. */
    per_person: bigint
    /** For all investors and approvers together. */
    per_pool: bigint
  }
  /** Who has approved a deposit or a withdrawal that needs two people. Final. */
  approvals: {
    transaction_id: InSql<string>
    approved_by: InSql<string>
    created_at: InSql<Date>
    /** The address that this approval is for; empty for a deposit. */
    payee_address: InSql<string>
  }
  /**
   * Who did what, when, from where, and what it changed. Written in the same transaction; final.
   */
  audit_entries: {
    id: GeneratedAlways<bigint>
    created_at: Generated<Date>
    /** NULL where nobody signed in did it. */
    actor_id: string | null
    /** A username, 'system', or the operator. */
    actor: string
    action: string
    subject_type: string
    subject_id: string
    /** The person whom it concerns, if it is one. */
    owner_id: string | null
    /** The address of the client, 'operator', or 'job'. */
    source: string
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
    reason: string | null
    /** Makes the entry the only one of its kind: a copy is refused. */
    nonce: string | null
    /** By a key that the database never holds. NULL: from before entries were signed. */
    mac: string | null
  }
  /**
   * The hash chain over the entries, in an order of its own: they are not committed in that of
   * ids.
   */
  audit_seals: {
    position: InSql<bigint>
    /**
     * Has no foreign key: its check would need the right to change entries. `audit:check` looks.
     */
    entry_id: InSql<bigint>
    /** HMAC-SHA-256 of the hash before it and of the entry. Without a key: SHA-256. */
    hash: InSql<Buffer>
    /** Which key it is by. NULL: from before seals were made with one. */
    key_id: InSql<string | null>
  }
  /**
   * Entries that wait for their seal. One that is in neither table was inserted past the product.
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
    /** The operator's word for who they are. */
    contributed_by: InSql<string>
    created_at: InSql<Date>
  }
  /** What money calls answered, so that a repeat with the same key gets the same answer. */
  idempotency_keys: {
    actor_id: string
    key: string
    /** Of the request: the same key with another one is refused. */
    request_hash: string
    outcome: unknown
    created_at: Generated<Date>
  }
  /**
   * Principal at work at a fixed interest. ACTIVE, then COMPLETED once; nothing else ever
   * changes.
   */
  investments: {
    id: InSql<string>
    /** Has no foreign key: the trigger investments_have_owners looks for all new owners at once. */
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
  /** The hourly recomputations of the ledger, of whichever node. */
  ledger_checks: {
    id: GeneratedAlways<bigint>
    checked_at: Generated<Date>
    /** How many were recomputed. */
    accounts: number
    /** How many they were recomputed from. */
    transfers: bigint
    /** The first thing that was wrong. NULL: nothing was. */
    finding: string | null
  }
  /**
   * Failed sign-ins, counted by account, by address, and by the two together, for all nodes; and
   * registrations, by range of addresses.
   */
  login_throttles: {
    /** Digest of what is counted. */
    key: Buffer
    /** How many; of registrations all of an hour. */
    failures: number
    /** The last attempt; of registrations the first of the hour. */
    last_at: Date
    /**
     * Of an account and an address together: the last sign-in to that account from that address.
     */
    succeeded_at: Date | null
  }
  migrations: {
    number: number
    name: string
    digest: string
    applied_at: Generated<Date>
  }
  /**
   * What can be paused. What was asked for before is still decided; maturities are always paid.
   */
  pauses: {
    name: PauseName
    /** The movement that is refused while it is paused. */
    movement: string
    /** NULL, like who and why, while it is not paused. */
    paused_at: Date | null
    paused_by: string | null
    reason: string | null
  }
  /**
   * Every address that an investor saved for withdrawals. Rows stay; the newest usable one
   * counts.
   */
  payout_addresses: {
    id: string
    user_id: string
    address: string
    network_name: string
    created_at: Generated<Date>
    /** Later than created_at where it replaces another, so that its owner can stop a thief. */
    usable_from: Date
  }
  routines: {
    digest: string
    objects: unknown
  }
  /** Who is signed in. Deleted when it ends. */
  sessions: {
    /** SHA-256 of the token, which is not kept: reading this table lets nobody in. */
    token_hash: Buffer
    user_id: string
    created_at: Generated<Date>
    /** Written every 30 seconds of use. Has no index, so that the row is rewritten on its page. */
    last_used_at: Generated<Date>
  }
  /**
   * How many rows there are and what they come to. Changes in the transaction that changes them.
   */
  tallies: {
    /** The table, or decisions and maturities: rows by their last day. */
    noun: string
    /** In UTC; -infinity holds all days together. */
    day: Date
    /** A type, network or action. Empty where rows have none. */
    kind: string
    /** Empty where rows have none. */
    status: string
    /**
     * Transactions at the same moment write to different slots, so that none waits for another: a
     * tally is the sum of its slots.
     */
    slot: number
    rows: bigint
    /** The sum of amounts, or of principals. */
    cents: bigint
    /** Cents, of investments. */
    interest: bigint
  }
  /**
   * What an investor asked for or received. PENDING, then one final status; the rest never
   * changes.
   */
  transactions: {
    id: InSql<string>
    /**
     * Has no foreign key: the trigger transactions_have_owners looks for all new owners at once.
     */
    user_id: InSql<string>
    type: InSql<'deposit' | 'withdrawal' | 'investment' | 'payout'>
    /** Cents. */
    amount: InSql<bigint>
    status: InSql<'PENDING' | 'APPROVED' | 'REJECTED' | 'COMPLETED' | 'PROCESSING' | 'EXPIRED'>
    description: InSql<string>
    /** Of a deposit: the address that it is sent to. */
    wallet_id: InSql<string | null>
    /** Of a withdrawal: as the investor wrote it. */
    destination_address: InSql<string>
    /**
     * Of an investment or payout. Has no foreign key: transactions_have_investments looks for it.
     */
    investment_id: InSql<string | null>
    /** Given by who rejected it, or empty. */
    reason: InSql<string>
    /** NULL while nobody has, and where time did. */
    decided_by: InSql<string | null>
    created_at: InSql<Date>
    /** The moment of the decision, once there is one. */
    updated_at: InSql<Date>
    /** Of a withdrawal whose investor named it; empty otherwise. */
    destination_network: InSql<string>
    /** How many people must decide: 2 once the limits were found to demand it. */
    approvals_needed: InSql<number>
    /** The network of the evidence. */
    evidence_network: InSql<string | null>
    /** The transaction on the network's chain that a deposit's confirmation rests on. */
    evidence: InSql<string | null>
    /** The address that a withdrawal was approved for; NULL for others. */
    payee_address: InSql<string | null>
  }
  /** Money that went from one account to another: the ledger sums to zero. Rows never change. */
  transfers: {
    id: GeneratedAlways<bigint>
    /** The movement that it is a part of: ledger/movements.ts. */
    movement: InSql<string>
    /** The transaction, investment or contribution that caused it. */
    reference_id: InSql<string>
    /**
     * Has no foreign key, nor has to_account_id: the check per row would cost a third of a
     * posting's time. Accounts are never deleted; the ledger check looks for transfers between
     * others.
     */
    from_account_id: InSql<bigint>
    to_account_id: InSql<bigint>
    /** Cents. */
    amount: InSql<bigint>
    created_at: InSql<Date>
  }
  /** What a person may do. A role that is taken away is deleted. */
  user_roles: {
    user_id: string
    role: 'USER' | 'ADMIN' | 'SUPER_ADMIN'
    granted_at: Generated<Date>
  }
  /** People who can sign in. Rows stay, and keep their ids. */
  users: {
    id: string
    /** The email address, in lower case. */
    username: string
    /** Argon2id, in the PHC format. */
    password_hash: string
    first_name: string
    last_name: string
    /** As registration sent it: two letters. */
    country: string
    created_at: Generated<Date>
    updated_at: Generated<Date>
    /** Since then the person cannot sign in. NULL: they can. */
    suspended_at: Date | null
  }
  /**
   * Wallets that were newly assigned, as they count towards the limits: kept for a day, without
   * their owners.
   */
  wallet_assignments: {
    /** Digest of the range of IP addresses that asked. */
    source: Buffer
    assigned_at: Date
  }
  /** Addresses that investors send deposits to. */
  wallets: {
    id: string
    address: string
    network_name: string
    /** The investor to whom it is assigned, for good. NULL: it can be assigned. */
    owner_id: string | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
}
