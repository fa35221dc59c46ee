-- What the product's role may do with each table: what it does, and nothing else. Everything is
-- taken from it first, and it may call our functions, except those of triggers (db/routines.ts).
-- `:app` stands for its name (docs/decisions/017).

-- Only ever added to.
GRANT SELECT, INSERT ON approvals, audit_entries, audit_seals, contributions, ledger_checks, payout_addresses, transfers TO :app;

-- Balances, states, owners: triggers say which changes there are. A balance is changed by the one
-- that applies transfers, which works with the rights of whoever inserts them.
GRANT SELECT, INSERT, UPDATE ON accounts, investments, tallies, transactions, users TO :app;
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys, login_throttles, sessions, wallets TO :app;
GRANT SELECT, INSERT, DELETE ON audit_unsealed, user_roles, wallet_assignments TO :app;

-- Rows that migrations made.
GRANT SELECT, UPDATE ON approval_limits, pauses TO :app;
GRANT SELECT ON migrations, recounted, routines TO :app;

-- Locks tables for longer than a request ever should: for the owner.
REVOKE EXECUTE ON FUNCTION recount_tallies() FROM :app;
