/** Names agreements of two people whose act is missing (docs/agreements.md). */
import type { ProposalKind } from '@pool/contract/agreements/proposals'
import { sql } from 'kysely'

const rowOf = (table: string, column = 'id') => `SELECT FROM ${table} WHERE ${column} = p.id`

/** The row that an approved proposal `p` wrote. Null for a state that later acts may change. */
const ACTS: Readonly<Record<ProposalKind, string | null>> = {
  GRANT: null,
  REVOKE: null,
  SUSPEND: null,
  RESUME: null,
  RESET_FACTORS: null,
  INVITE: null,
  ADD_WALLETS: null,
  DELETE_WALLET: null,
  ARCHIVE_WALLET: null,
  ADD_KEY: null,
  END_KEY: null,
  SET_RATE: null,
  WRITE_OFF: rowOf('write_offs'),
  RETURN_WITHDRAWAL: rowOf('transactions', 'return_id'),
  COMPLETE_WITHDRAWAL: `SELECT FROM transactions WHERE id::text = p.subject AND completed_at = p.decided_at`,
  APPROVE_LOAN: `SELECT FROM loans WHERE id::text = p.subject AND status <> 'APPLIED'`,
  DISBURSE_LOAN: rowOf('loan_disbursements'),
  SEND_LOAN: rowOf('loan_sendings', 'proposal_id'),
  RELEASE_LOAN: rowOf('loan_sendings', 'release_id'),
  REPAY_LOAN: rowOf('loan_repayments'),
  REVERSE_REPAYMENT: rowOf('loan_reversals'),
  IMPORT_REPAYMENTS: rowOf('repayment_files', 'proposal_id'),
  DEFAULT_LOAN: rowOf('loan_defaults'),
  WRITE_OFF_LOAN: rowOf('loan_write_offs'),
  RECOVER_LOAN: rowOf('loan_repayments'),
  RESTRUCTURE_LOAN: rowOf('loan_restructurings'),
  OWN_ADDRESS: rowOf('own_addresses', 'proposal_id'),
  OPENING: rowOf('coin_movements', 'cause_id'),
  SETTLE_SPENDING: rowOf('spendings', 'settlement_id'),
  END_BREAK: rowOf('accepted_breaks', 'proposal_id'),
  SKIP_BLOCKS: rowOf('block_skips'),
  COVER_LOSS: rowOf('loss_covers'),
  SHARE_LOSS: rowOf('loss_announcements'),
  // The check of plans names a missing version.
  PLAN: null,
  WIND_DOWN: rowOf('wind_downs'),
  END_WIND_DOWN: rowOf('wind_downs', 'called_off_id'),
  PUT_IN_CAPITAL: rowOf('contributions'),
  WITHDRAW_CAPITAL: rowOf('capital_withdrawals'),
}

const missing = Object.entries(ACTS).flatMap(([kind, row]) =>
  row === null ? [] : [sql`WHEN ${sql.lit(kind)} THEN NOT EXISTS (${sql.raw(row)})`],
)

export const AGREEMENTS = sql`
  SELECT format('Two people agreed to the proposal %s (%s), but its act is missing.', p.id, p.kind) AS sentence
  FROM proposals AS p WHERE p.status = 'DONE' AND CASE p.kind ${sql.join(missing, sql` `)} ELSE false END`
