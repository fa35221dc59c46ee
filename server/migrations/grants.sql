-- The rights of the product's role, table by table. All rights are revoked first, and it may call
-- our functions except those of triggers (db/routines.ts). `:app` is its name (docs/decisions/017).

-- The product only adds to these.
GRANT SELECT, INSERT ON approvals, audit_entries, audit_seals, contributions, ledger_checks, mail_deliveries, movements TO :app;

-- Only rows of closed accounts are deleted (refuse_change_unless_closed).
GRANT SELECT, INSERT, DELETE ON notes, payout_addresses TO :app;

-- Triggers bound the changes of balances, states and owners. The one that applies transfers runs
-- with the rights of the role that inserts them.
GRANT SELECT, INSERT, UPDATE ON accounts, invites, proposals, tallies, transactions, users TO :app;
GRANT SELECT, INSERT, UPDATE, DELETE ON email_links, factors, freeze_links, idempotency_keys, known_devices, login_throttles, mails, notice_settings, password_resets, recovery_codes, sessions, wallets TO :app;
GRANT SELECT, INSERT, DELETE ON audit_unsealed, used_challenges, user_roles, wallet_assignments TO :app;

-- Migrations made these rows.
GRANT SELECT, UPDATE ON approval_limits, heartbeats, notice_mailing, pauses TO :app;
GRANT SELECT ON investments, migrations, movement_months, recounted, routines, transfers TO :app;

-- Its owner archives (npm run archive).
GRANT SELECT ON archived_months, closing_balances TO :app;

-- It locks tables for longer than a request may, so the owner runs it.
REVOKE EXECUTE ON FUNCTION recount_tallies() FROM :app;
