/** The rows of the database, for Kysely: one type per table, named as in `server/migrations/schema.sql`. */

import type { SwitchName } from '@pool/contract/switches'
import type { TransactionStatus, TransactionType } from '@pool/contract/transactions'
import type { RoleType } from '@pool/contract/users'
import type { ColumnType, Generated } from 'kysely'

type CreatedAt = ColumnType<Date, never, never>

type UserRow = {
  id: string
  username: string
  password_hash: string
  first_name: string
  last_name: string
  country: string
  suspended_at: Generated<Date | null>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

type UserRoleRow = { user_id: string; role: RoleType; granted_at: Generated<Date> }

type SessionRow = { token_hash: Buffer; user_id: string; created_at: Generated<Date>; last_used_at: Generated<Date> }

type WalletRow = {
  id: string
  address: string
  network_name: string
  owner_id: string | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** Amounts in cents. Written by `post_operations` only. */
type TransactionRow = {
  id: string
  user_id: string
  type: TransactionType
  amount: bigint
  status: TransactionStatus
  description: string
  wallet_id: string | null
  destination_address: string
  destination_network: string
  investment_id: string | null
  reason: string
  decided_by: string | null
  /** How many different people must approve it. */
  approvals_needed: number
  /** The transaction on a network's chain that a deposit's confirmation rests on. */
  evidence_network: string | null
  evidence: string | null
  created_at: CreatedAt
  updated_at: ColumnType<Date, never, Date>
}

/** Amounts in cents. Written by `post_operations` only. */
type InvestmentRow = {
  id: string
  user_id: string
  principal: bigint
  rate_basis_points: number
  interest: bigint
  duration_days: number
  status: 'ACTIVE' | 'COMPLETED'
  matures_at: CreatedAt
  created_at: CreatedAt
  updated_at: CreatedAt
}

/** Balance in cents; null where the account may go below zero. */
type AccountRow = { id: Generated<bigint>; owner_id: string; kind: string; balance: bigint | null }

/** Amount in cents. Written by `post_operations` only. */
type TransferRow = {
  id: ColumnType<bigint, never, never>
  movement: string
  reference_id: string
  from_account_id: bigint
  to_account_id: bigint
  amount: bigint
  created_at: CreatedAt
}

type IdempotencyKeyRow = { actor_id: string; key: string; request_hash: string; outcome: unknown; created_at: CreatedAt }

type ContributionRow = { id: string; amount: bigint; note: string; contributed_by: string; created_at: CreatedAt }

type PayoutAddressRow = {
  id: string
  user_id: string
  address: string
  network_name: string
  created_at: CreatedAt
  usable_from: ColumnType<Date, Date, never>
}

/** Written by `post_operations` only. */
type ApprovalRow = { transaction_id: string; approved_by: string; created_at: CreatedAt }

/** Written by `record` of server/audit and by `post_operations`; never changed. */
type AuditEntryRow = {
  id: ColumnType<bigint, never, never>
  created_at: CreatedAt
  actor_id: string | null
  actor: string
  action: string
  subject_type: string
  subject_id: string
  owner_id: string | null
  source: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
}

/** Written by `seal_audit` only. */
type AuditSealRow = { position: bigint; entry_id: bigint; hash: Buffer }

type LedgerCheckRow = {
  id: ColumnType<bigint, never, never>
  checked_at: CreatedAt
  accounts: number
  transfers: bigint
  finding: string | null
}

/** What of the product can be paused; NULLs while it runs. */
type SwitchRow = { name: SwitchName; movement: string; paused_at: Date | null; paused_by: string | null; reason: string | null }

export type Schema = {
  users: UserRow
  user_roles: UserRoleRow
  sessions: SessionRow
  wallets: WalletRow
  transactions: TransactionRow
  investments: InvestmentRow
  accounts: AccountRow
  transfers: TransferRow
  idempotency_keys: IdempotencyKeyRow
  contributions: ContributionRow
  payout_addresses: PayoutAddressRow
  approvals: ApprovalRow
  audit_entries: AuditEntryRow
  audit_seals: AuditSealRow
  switches: SwitchRow
  ledger_checks: LedgerCheckRow
}
