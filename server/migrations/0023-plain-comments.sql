-- Comments that follow CONTRIBUTING.md, "Prose".
COMMENT ON COLUMN accounts.balance IS
  'Cents, written only by the trigger transfers_change_balances. NULL if it may go below '
  'zero. Such a balance is read from the transfers, so no posting locks the row.';
COMMENT ON TABLE approval_limits IS 'Most cents that one person decides alone in 24 hours. One row.';
COMMENT ON COLUMN approval_limits.per_person IS 'Limit for one investor, and for one approver.';
COMMENT ON COLUMN approval_limits.per_pool IS 'Limit for all investors and approvers together.';
COMMENT ON TABLE approvals IS 'Approvals of deposits and withdrawals that need two people. Final.';
COMMENT ON COLUMN approvals.payee_address IS 'The approved address. Empty for a deposit.';
COMMENT ON TABLE audit_entries IS
  'The audit trail: actor, moment, source and changes of each act, in its transaction. Final.';
COMMENT ON COLUMN audit_entries.actor_id IS 'NULL unless the actor is a signed-in user.';
COMMENT ON COLUMN audit_entries.owner_id IS 'The user that the entry concerns, if any.';
COMMENT ON COLUMN audit_entries.source IS 'An IP address, ''operator'' or ''job''.';
COMMENT ON COLUMN audit_entries.nonce IS 'Makes the entry unique, so that a copy is refused.';
COMMENT ON COLUMN audit_entries.mac IS
  'MAC by a key that the database never holds. NULL in entries older than signing.';
COMMENT ON TABLE audit_seals IS
  'Hash chain over the entries, in its own order, since ids do not commit in order.';
COMMENT ON COLUMN audit_seals.entry_id IS
  'Has no foreign key, whose check would need the right to change entries. `audit:check` '
  'looks.';
COMMENT ON COLUMN audit_seals.hash IS
  'HMAC-SHA-256 of the previous hash and of the entry. SHA-256 without a key.';
COMMENT ON COLUMN audit_seals.key_id IS 'Id of the key. NULL in seals older than signing.';
COMMENT ON TABLE audit_unsealed IS
  'Entries that wait for their seal. An entry in neither table was inserted past the product.';
COMMENT ON COLUMN contributions.contributed_by IS 'The operator''s name for themselves.';
COMMENT ON TABLE idempotency_keys IS
  'Outcomes of money calls, so that a repeat with the same key gets the same response.';
COMMENT ON COLUMN idempotency_keys.request_hash IS
  'Digest of the request. The same key with another request is refused.';
COMMENT ON TABLE investments IS
  'Principal at work at fixed interest. ACTIVE, then COMPLETED once. No other column changes.';
COMMENT ON COLUMN investments.user_id IS
  'Has no foreign key. The trigger investments_have_owners checks all new owners at once.';
COMMENT ON TABLE ledger_checks IS 'Hourly recomputations of the ledger, from all nodes.';
COMMENT ON COLUMN ledger_checks.accounts IS 'Number of recomputed accounts.';
COMMENT ON COLUMN ledger_checks.transfers IS 'Number of transfers read.';
COMMENT ON COLUMN ledger_checks.finding IS 'The first fault. NULL when there is none.';
COMMENT ON TABLE login_throttles IS
  'Failed sign-ins of all nodes by user, by IP and by both, and registrations by range of '
  'IPs.';
COMMENT ON COLUMN login_throttles.key IS 'Digest of the counted user, IP or range.';
COMMENT ON COLUMN login_throttles.failures IS
  'Number of failures, or of all registrations in an hour.';
COMMENT ON COLUMN login_throttles.last_at IS
  'The last attempt, or the first registration of the hour.';
COMMENT ON COLUMN login_throttles.succeeded_at IS
  'The last sign-in of this user from this IP. NULL in other rows.';
COMMENT ON TABLE pauses IS
  'Pauses of deposits, withdrawals and investing. Earlier requests and maturities go on.';
COMMENT ON COLUMN pauses.movement IS 'The movement that a pause refuses.';
COMMENT ON COLUMN pauses.paused_at IS 'NULL without a pause, like its actor and its reason.';
COMMENT ON TABLE payout_addresses IS
  'Every payout address that an investor saved. Rows stay, and the newest usable one counts.';
COMMENT ON COLUMN payout_addresses.usable_from IS
  'After created_at for a replacement, so that its owner can stop a thief.';
COMMENT ON TABLE sessions IS 'Sessions of signed-in users. Deleted when they end.';
COMMENT ON COLUMN sessions.token_hash IS
  'SHA-256 of the token. The token is not stored, so reading this table gives no access.';
COMMENT ON TABLE tallies IS
  'Numbers of rows and their sums. Changed in the transaction that changes the rows.';
COMMENT ON COLUMN tallies.noun IS
  'A table, or decisions and maturities, which are rows by their last day.';
COMMENT ON COLUMN tallies.day IS 'In UTC. -infinity holds all days together.';
COMMENT ON COLUMN tallies.slot IS
  'Concurrent transactions write to different slots, so that none waits. A tally sums its '
  'slots.';
COMMENT ON TABLE transactions IS
  'Requests and receipts of an investor. PENDING, then one final status. No other column '
  'changes.';
COMMENT ON COLUMN transactions.user_id IS
  'Has no foreign key. The trigger transactions_have_owners checks all new owners at once.';
COMMENT ON COLUMN transactions.wallet_id IS 'Deposit: the wallet that receives it.';
COMMENT ON COLUMN transactions.destination_address IS
  'Withdrawal: the text that the investor wrote.';
COMMENT ON COLUMN transactions.investment_id IS
  'Investment or payout: no foreign key, since transactions_have_investments checks it.';
COMMENT ON COLUMN transactions.reason IS 'The approver''s reason for a rejection, or empty.';
COMMENT ON COLUMN transactions.decided_by IS 'NULL while pending, and after an expiry.';
COMMENT ON COLUMN transactions.destination_network IS
  'Withdrawal: the network that the investor named, else empty.';
COMMENT ON COLUMN transactions.approvals_needed IS
  'Number of people who must decide. Becomes 2 when a limit demands it.';
COMMENT ON COLUMN transactions.evidence IS
  'On-chain transaction that the confirmation of a deposit rests on.';
COMMENT ON COLUMN transactions.payee_address IS
  'The address that a withdrawal was approved for, else NULL.';
COMMENT ON TABLE transfers IS
  'Money moved from one account to another, so the ledger sums to zero. Rows never change.';
COMMENT ON COLUMN transfers.movement IS 'The movement that it belongs to (ledger/movements.ts).';
COMMENT ON COLUMN transfers.from_account_id IS
  'Has no foreign key, nor has to_account_id. Their checks would take a third of a posting. '
  'Accounts are never deleted, and the ledger check finds transfers of others.';
COMMENT ON TABLE user_roles IS 'Roles of users. A revoked role is deleted.';
COMMENT ON TABLE users IS 'People who can sign in. Rows stay and keep their ids.';
COMMENT ON COLUMN users.country IS 'Two letters, as registration sent them.';
COMMENT ON COLUMN users.suspended_at IS 'Moment of the suspension. NULL when the user may sign in.';
COMMENT ON TABLE wallet_assignments IS
  'New assignments of wallets, counted by the limits. Kept for a day, without owners.';
COMMENT ON COLUMN wallet_assignments.source IS 'Digest of the requesting range of IP addresses.';
COMMENT ON COLUMN wallets.owner_id IS
  'The investor that it is assigned to, for good. NULL when available.';
COMMENT ON TYPE operation IS
  'A money operation of post_operations: the legs of one movement and their rows.';
COMMENT ON COLUMN operation.reference_id IS 'The row that caused the transfers. Its id is returned.';
COMMENT ON COLUMN operation.actor_id IS 'The user who may repeat it. NULL for a job or a command.';
COMMENT ON COLUMN operation.key IS 'Its idempotency key.';
COMMENT ON COLUMN operation.request_hash IS 'Digest of the request, which a repeat must equal.';
COMMENT ON COLUMN operation.entry IS
  'Its signed audit entry. Posting adds the mark of the last approval.';
COMMENT ON COLUMN operation_investment.duration_seconds IS
  'Stored beside the days, which can be shortened for demonstrations.';
COMMENT ON COLUMN operation_leg.to_owner IS
  'The investor who receives. NULL means the operation''s owner or the pool, by kind of '
  'account.';
COMMENT ON COLUMN operation_transaction.takes_wallet IS
  'The owner''s wallet receives it. Without one the owner gets the oldest available.';
COMMENT ON COLUMN operation_transaction.wallet_pace IS
  'Pace of assigning wallets to new investors. NULL sets no limit.';
COMMENT ON TYPE operation_wallet_pace IS
  'A source of requests for wallets, with the limits of a source in a day and of all in an '
  'hour.';
COMMENT ON TYPE tally_change IS 'An addition to a tally, negative for rows that go.';
