-- Limits on how fast deposit wallets are assigned, and on the deposits of one account that wait.

CREATE TABLE wallet_assignments (source bytea NOT NULL, assigned_at timestamptz NOT NULL);
COMMENT ON TABLE wallet_assignments IS
  'Wallets that were newly assigned, as they count towards the limits: kept for a day, without their owners.';
COMMENT ON COLUMN wallet_assignments.source IS 'Digest of the range of IP addresses that asked.';
CREATE INDEX wallet_assignments_by_source ON wallet_assignments (source, assigned_at);
CREATE INDEX wallet_assignments_by_age ON wallet_assignments (assigned_at);

CREATE TYPE operation_wallet_pace AS (source bytea, per_ip integer, per_hour integer);
COMMENT ON TYPE operation_wallet_pace IS
  'Who asks for a wallet, and how many there are: for one source in a day, for all in an hour.';
ALTER TYPE operation_transaction ADD ATTRIBUTE wallet_pace operation_wallet_pace;
COMMENT ON COLUMN operation_transaction.wallet_pace IS
  'How fast an investor without a wallet is given one. NULL: at once.';

-- An account's deposits that wait are counted at each new one.
CREATE INDEX transactions_open_deposits ON transactions (user_id) WHERE type = 'deposit' AND status = 'PENDING';
