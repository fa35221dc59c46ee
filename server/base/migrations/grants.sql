-- The rights of the product's role, `:app`. All are revoked first, and it may call our functions
-- except those of triggers. It writes named columns, lest it forge an age (docs/decisions/017).

GRANT SELECT ON accepted_breaks, accounts, address_keys, approval_limits, approvals, audit_entries, audit_seals, audit_unsealed, balance_checks, batch_inputs, batch_payouts, batches, block_skips, borrower_grades, borrowers, capital_withdrawals, chain_blocks, chains, claims, coin_facts_due, coin_movements, contributions, ended_pauses, factors, fee_estimates, heartbeats, idempotency_keys, investments, job_successes, known_devices, ledger_checks, liability_leaves, liability_trees, links, loan_collateral, loan_defaults, loan_disbursements, loan_documents, loan_instalments, loan_moves, loan_repayment_parts, loan_repayments, loan_restructurings, loan_reversals, loan_sendings, loan_updates, loan_write_offs, loans, login_throttles, loss_announcements, loss_covers, loss_sharings, losses_borne, mail_deliveries, mails, migrations, movement_months, movements, network_fees, notes, notice_mailing, notice_settings, own_addresses, pauses, payments, payout_addresses, payout_alarms, plans, pool_figures, pool_mode, pool_tapes, price_readings, proposals, quotes, rates, reading_keys, reconciled_coins, reconciled_lines, reconciled_networks, reconciliations, recounted, repayment_files, recovery_codes, rehearsals, routines, sent_coins, sessions, signing_keys, spendings, spent_coins, tallies, transactions, transfers, unseen_arrivals, used_challenges, user_roles, users, wallet_assignments, wallets, wind_downs, write_offs TO :app;

-- The product only adds to these.
GRANT INSERT ON audit_seals, contributions, movements TO :app;
GRANT INSERT (transaction_id, approved_by, payee_address, amount) ON approvals TO :app;
GRANT INSERT (actor_id, actor, action, subject_type, subject_id, owner_id, source, before, after, reason, nonce, mac) ON audit_entries TO :app;
GRANT INSERT ON ledger_checks, mail_deliveries TO :app;
GRANT INSERT (id, network_name, transaction_id, asset, decimals, kind, from_account, to_account, units, cause, cause_id, position, takes_back, cents, height) ON coin_movements TO :app;
GRANT INSERT (id, break_cents, is_unpriced, is_whole, limit_cents, is_pausing, custody_cents, coins_cents) ON reconciliations TO :app;
GRANT INSERT ON reconciled_coins, reconciled_lines, reconciled_networks TO :app;
GRANT INSERT (proposal_id, reconciliation_id, network_name, asset, units) ON accepted_breaks TO :app;
GRANT INSERT ON plans, pool_mode TO :app;
GRANT INSERT (day, loans, size, digest, file, key_id, signature) ON pool_tapes TO :app;
GRANT INSERT ON liability_trees TO :app;
GRANT INSERT, DELETE ON liability_leaves TO :app;
GRANT INSERT (deposit_id, coin, units, dollars, source, at, ends_at) ON quotes TO :app;
GRANT INSERT (id, coin, dollars, source, at, set_by, prices) ON rates TO :app;
GRANT INSERT (id, claim_id, amount) ON write_offs TO :app;
GRANT INSERT (id, name, country, kind, relation, user_id, grade, grade_reason, recorded_by),
  UPDATE (name, country, kind, relation, user_id, grade, grade_reason, graded_at, graded_by) ON borrowers TO :app;
GRANT INSERT (borrower_id, number, grade, reason, graded_by, graded_at) ON borrower_grades TO :app;
GRANT INSERT (id, loan_id, text, written_by) ON loan_updates TO :app;
GRANT INSERT (id, loan_id, principal, capital, disbursed_on, network_name, evidence, output, sent) ON loan_disbursements TO :app;
GRANT INSERT (repayment_id, number, principal, interest) ON loan_repayment_parts TO :app;
GRANT INSERT (id, repayment_id, principal, capital, interest, recovered, reason, reversed_by, agreed_id) ON loan_reversals TO :app;
GRANT INSERT (loan_id, number, bucket, moved_on, days_past_due, outstanding) ON loan_moves TO :app;
GRANT INSERT (id, loan_id, defaulted_on, reason, days_past_due, principal, interest) ON loan_defaults TO :app;
GRANT INSERT (id, loan_id, principal, capital, covered, lost) ON loan_write_offs TO :app;
GRANT INSERT (id, amount) ON loss_covers TO :app;
-- The product sets mailed_at once mails of a loss or wind-down are queued. Triggers allow it once.
GRANT INSERT (id, loss_id, amount, counts_at), UPDATE (mailed_at) ON loss_announcements TO :app;
GRANT INSERT (id, amount, invested) ON loss_sharings TO :app;
GRANT INSERT (id, last_maturity_at), UPDATE (mailed_at, called_off_id, called_off_at) ON wind_downs TO :app;
GRANT INSERT (id, amount, capital) ON capital_withdrawals TO :app;
GRANT INSERT (name, began_at, ended_at) ON ended_pauses TO :app;
GRANT INSERT ON losses_borne TO :app;
GRANT INSERT (id, loan_id, starts_on, first_number, principal, interest, distressed, rate_basis_points, schedule, period, day_count, instalments, due_day, first_due_on) ON loan_restructurings TO :app;

-- Only rows of closed accounts are deleted (refuse_change_unless_closed), and payout addresses of
-- accounts whose mailbox was never proven (refuse_change_unless_unproven).
GRANT INSERT (id, user_id, author_id, text), DELETE ON notes TO :app;
GRANT INSERT (id, user_id, address, network_name, usable_from), DELETE ON payout_addresses TO :app;

-- Triggers bound the changes of balances, states and owners. The one that applies transfers runs
-- with the rights of the role that inserts them.
GRANT INSERT (owner_id, kind, balance), UPDATE (balance, closed_at) ON accounts TO :app;
GRANT INSERT (id, user_id, type, amount, status, description, wallet_id, destination_address, destination_network, investment_id, rate_basis_points, interest, duration_days, matures_at, investment_status, plan_id, evidence_network, evidence, evidence_output, unannounced, claim_id, sharing_id, repayment_id, fee, created_at, updated_at),
  UPDATE (status, amount, requested_amount, reason, decided_by, ending, basis, evidence_network, evidence, evidence_output, approvals_needed, payee_address, investment_status, sent_at, sent_by, sent_basis, sent_network, sent_evidence, sent_output, completed_at, completed_by, completed_basis, returned_at, return_id, borne, updated_at) ON transactions TO :app;
GRANT INSERT (id, username, password_hash, first_name, last_name, country, email_confirmed_at),
  UPDATE (username, password_hash, first_name, last_name, country, email_confirmed_at, suspended_at, frozen_at, frozen_since, withdrawals_rest_until, taken_back_at, closed_at, updated_at) ON users TO :app;
GRANT INSERT (id, network_name, key, fingerprint, next_index, added_by), UPDATE (next_index, derived_at, ended_at) ON address_keys TO :app;
GRANT INSERT (id, address, network_name, proposal_id, key_id, derivation_index), UPDATE (owner_id, used_at, archived_at, proposal_id, updated_at), DELETE ON wallets TO :app;
GRANT INSERT (deposit_id, user_id, amount, open, payment_id, basis), UPDATE (open) ON claims TO :app;
GRANT INSERT (id, borrower_id, purpose, principal, rate_basis_points, schedule, period, day_count, instalments, due_day, disburse_on, first_due_on, refinances_id, recorded_by, from_investors),
  UPDATE (status, outstanding, written_off, recovered, closed_for, closed_by, closed_at) ON loans TO :app;
GRANT INSERT (id, loan_id, description, value, valued_on, recorded_by), UPDATE (withdrawn_for, withdrawn_by, withdrawn_at) ON loan_collateral TO :app;
GRANT INSERT (id, borrower_id, loan_id, title, sha256, link, recorded_by), UPDATE (withdrawn_for, withdrawn_by, withdrawn_at) ON loan_documents TO :app;
GRANT INSERT (loan_id, number, due_on, principal, interest, principal_paid, interest_paid), UPDATE (principal_paid, interest_paid, replaced) ON loan_instalments TO :app;
GRANT INSERT (id, proposal_id, loan_id, principal, capital, network_name, address), UPDATE (status, release_id) ON loan_sendings TO :app;
GRANT INSERT (id, loan_id, principal, capital, interest, recovered, kept, value_on, reference, recorded_by, agreed_id), UPDATE (reversed) ON loan_repayments TO :app;
GRANT INSERT (proposal_id, csv), UPDATE (posted_at) ON repayment_files TO :app;
GRANT INSERT, UPDATE ON chains TO :app;
GRANT INSERT (id, network_name, from_height, to_height), UPDATE (skipped_at, ended_at) ON block_skips TO :app;
GRANT INSERT (id, public_key) ON signing_keys TO :app;
GRANT INSERT, UPDATE ON pool_figures TO :app;
GRANT INSERT, UPDATE (units, height) ON balance_checks TO :app;
GRANT INSERT (id, network_name, address, asset, units, decimals, above, height), UPDATE (settled_at, settled_by, reason) ON unseen_arrivals TO :app;
GRANT INSERT, DELETE ON chain_blocks TO :app;
GRANT INSERT (id, network_name, transaction_id, output, address, asset, units, decimals, state, height, block_hash, inputs, is_coinbase, seen_at, dollars, rate_source, rate_at),
  UPDATE (address, asset, units, decimals, state, height, block_hash, inputs, changed_at, confirmed_at, dollars, rate_source, rate_at, deposit_id, settled_as) ON payments TO :app;
GRANT INSERT (id, network_name, address, class, key_id, derivation_index, proposal_id) ON own_addresses TO :app;
GRANT INSERT (id, network_name, asset, decimals, kind, format, state, payer, nonce, dollars, rate_source, rate_at, fee_rate, fee_units, gas, gas_price, fee_cents, change_units, change_address, file, digest, safe_hash, made_by),
  UPDATE (state, approved_by, approved_at, completed_at, given_up_by, given_up_at, reason) ON batches TO :app;
GRANT INSERT (batch_id, position, withdrawal_id, sending_id, address, units), UPDATE (is_open, transaction_id, output) ON batch_payouts TO :app;
GRANT INSERT (batch_id, network_name, input, address, units), UPDATE (is_open) ON batch_inputs TO :app;
GRANT INSERT (id, network_name, transaction_id, state, height, block_hash, inputs, seen_at, fee_units, fee_asset),
  UPDATE (state, height, block_hash, inputs, changed_at, confirmed_at, fee_units, batch_id, settled_at, settled_by, reason, settlement_id) ON spendings TO :app;
GRANT INSERT, DELETE ON spent_coins, sent_coins TO :app;
GRANT INSERT (id, network_name, kind, batch_id, position, spending_id), UPDATE (found_at, ended_at, settled_at, settled_by, reason) ON payout_alarms TO :app;
GRANT INSERT (network_name, transaction_id), DELETE ON coin_facts_due TO :app;
GRANT INSERT (id, movement_id, amount), UPDATE (status, returned_at) ON network_fees TO :app;
GRANT INSERT, UPDATE (rows, cents, interest) ON tallies TO :app;

-- Sessions, factors and links keep their age, their user and their secret.
GRANT INSERT (id, user_id, name, token_hash, ends_at, mac), UPDATE (last_used_at), DELETE ON reading_keys TO :app;
GRANT INSERT (token_hash, user_id, ip, user_agent, factor_at, mac, factor_mac), UPDATE (last_used_at, factor_at, factor_mac), DELETE ON sessions TO :app;
GRANT INSERT (id, user_id, kind, name, key_id, last_step, credential_id, public_key, counter, transports),
  UPDATE (name, last_step, counter, last_used_at), DELETE ON factors TO :app;
GRANT INSERT (digest, user_id), UPDATE (used_at), DELETE ON recovery_codes TO :app;
GRANT INSERT (user_id, role, alone_by), DELETE ON user_roles TO :app;
GRANT INSERT (id, kind, user_id, address, token_digest, expires_at), UPDATE (ended_at), DELETE ON links TO :app;
GRANT INSERT, UPDATE (status, decided_by, decided_at, alone, rests_until, ended_at) ON proposals TO :app;

GRANT INSERT (actor_id, key, request_hash, outcome), DELETE ON idempotency_keys TO :app;
GRANT INSERT (network_name, cents, at), UPDATE (cents, at) ON fee_estimates TO :app;
GRANT INSERT, UPDATE, DELETE ON known_devices, login_throttles, mails, notice_settings, price_readings TO :app;
GRANT INSERT, DELETE ON audit_unsealed, used_challenges, wallet_assignments TO :app;

-- Migrations made these rows.
GRANT UPDATE (per_person, per_pool) ON approval_limits TO :app;
GRANT UPDATE (at) ON heartbeats TO :app;
-- Each node writes what its jobs did.
GRANT INSERT (name, succeeded_at), UPDATE (succeeded_at) ON job_successes TO :app;
GRANT UPDATE (until) ON notice_mailing TO :app;
GRANT UPDATE (paused_at, paused_by, reason, reconciliation_id, by_loss, by_wind_down) ON pauses TO :app;

-- Its owner archives (npm run archive).
GRANT SELECT ON archived_months, closing_balances TO :app;

-- It locks tables for longer than a request may, so the owner runs it.
REVOKE EXECUTE ON FUNCTION recount_tallies() FROM :app;
