CREATE TABLE transactions (
  id                  uuid PRIMARY KEY,
  user_id             uuid NOT NULL,
  type                text NOT NULL
    CHECK (type IN ('deposit', 'withdrawal', 'investment', 'payout')),
  amount              bigint NOT NULL CHECK (amount > 0),
  status              text NOT NULL
    CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED', 'COMPLETED', 'PROCESSING', 'EXPIRED')),
  description         text NOT NULL DEFAULT '',
  wallet_id           uuid REFERENCES wallets,
  destination_address text NOT NULL DEFAULT '',
  investment_id       uuid,
  reason              text NOT NULL DEFAULT '',
  decided_by          uuid REFERENCES users,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  destination_network text NOT NULL DEFAULT '',
  approvals_needed    smallint NOT NULL DEFAULT 1 CHECK (approvals_needed > 0),
  evidence_network    text,
  evidence            text,
  payee_address       text,
  CONSTRAINT transactions_deposit_has_wallet CHECK ((type = 'deposit') = (wallet_id IS NOT NULL)),
  CONSTRAINT transactions_of_an_investment
    CHECK ((type IN ('investment', 'payout')) = (investment_id IS NOT NULL)),
  CONSTRAINT transactions_evidence_on_a_network
    CHECK ((evidence IS NULL) = (evidence_network IS NULL)),
  CONSTRAINT transactions_decided_by_another CHECK (decided_by <> user_id)
);
COMMENT ON TABLE transactions IS
  'Requests and receipts of an investor. PENDING, then one final status. No other column '
  'changes.';
COMMENT ON COLUMN transactions.user_id IS
  'Has no foreign key. The trigger transactions_have_owners checks all new owners at once.';
COMMENT ON COLUMN transactions.amount IS 'Cents.';
COMMENT ON COLUMN transactions.wallet_id IS 'Deposit: the wallet that receives it.';
COMMENT ON COLUMN transactions.destination_address IS
  'Withdrawal: the text that the investor wrote.';
COMMENT ON COLUMN transactions.investment_id IS
  'Investment or payout: no foreign key, since transactions_have_investments checks it.';
COMMENT ON COLUMN transactions.reason IS 'The approver''s reason for a rejection, or empty.';
COMMENT ON COLUMN transactions.decided_by IS 'NULL while pending, and after an expiry.';
COMMENT ON COLUMN transactions.updated_at IS 'The moment of the decision, once there is one.';
COMMENT ON COLUMN transactions.destination_network IS
  'Withdrawal: the network that the investor named, else empty.';
COMMENT ON COLUMN transactions.approvals_needed IS
  'Number of people who must decide. Becomes 2 when a limit demands it.';
COMMENT ON COLUMN transactions.evidence_network IS 'The network of the evidence.';
COMMENT ON COLUMN transactions.evidence IS
  'On-chain transaction that the confirmation of a deposit rests on.';
COMMENT ON COLUMN transactions.payee_address IS
  'The address that a withdrawal was approved for, else NULL.';

-- An investment is opened once and pays once.
CREATE UNIQUE INDEX transactions_once_per_investment ON transactions (investment_id, type)
  WHERE investment_id IS NOT NULL;
CREATE UNIQUE INDEX transactions_evidence_once ON transactions (evidence_network, evidence)
  WHERE evidence IS NOT NULL;

-- Every order of a list has an index, so that a page costs the same in a table of any size.
CREATE INDEX transactions_by_user ON transactions (user_id, created_at DESC, id DESC);
CREATE INDEX transactions_by_age ON transactions (created_at DESC, id DESC);
CREATE INDEX transactions_by_change ON transactions (updated_at, id);
CREATE INDEX transactions_by_amount ON transactions (amount, id);
-- The moment when an investor first named an address is read for each pending withdrawal.
CREATE INDEX transactions_by_destination
  ON transactions (lower(destination_address), user_id, created_at) WHERE type = 'withdrawal';
-- The open deposits of an investor are counted at each new one.
CREATE INDEX transactions_open_deposits ON transactions (user_id)
  WHERE type = 'deposit' AND status = 'PENDING';
-- The use of the approval limits is read from one day of decisions.
CREATE INDEX transactions_decided_alone
  ON transactions (updated_at) INCLUDE (decided_by, user_id, amount)
  WHERE decided_by IS NOT NULL AND status <> 'REJECTED' AND approvals_needed = 1;
-- Most transactions are COMPLETED investments and payouts. They are met at once on the way through
-- all transactions, so neither index holds them, and posting them costs neither anything.
CREATE INDEX transactions_by_status ON transactions (status, created_at DESC, id DESC)
  WHERE status <> 'COMPLETED';
CREATE INDEX transactions_by_type ON transactions (type, created_at DESC, id DESC)
  WHERE type IN ('deposit', 'withdrawal');

CREATE TABLE approvals (
  transaction_id uuid NOT NULL REFERENCES transactions,
  approved_by    uuid NOT NULL REFERENCES users,
  created_at     timestamptz NOT NULL DEFAULT now(),
  payee_address  text NOT NULL DEFAULT '',
  PRIMARY KEY (transaction_id, approved_by, payee_address)
);
COMMENT ON TABLE approvals IS 'Approvals of deposits and withdrawals that need two people. Final.';
COMMENT ON COLUMN approvals.payee_address IS 'The approved address. Empty for a deposit.';

CREATE TABLE approval_limits (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  per_person bigint NOT NULL CHECK (per_person >= 0),
  per_pool   bigint NOT NULL CHECK (per_pool >= per_person)
);
COMMENT ON TABLE approval_limits IS
  'Most cents that one person decides alone in 24 hours. One row.';
COMMENT ON COLUMN approval_limits.per_person IS 'Limit for one investor, and for one approver.';
COMMENT ON COLUMN approval_limits.per_pool IS 'Limit for all investors and approvers together.';

-- The server sets the row at its start, from its configuration.
INSERT INTO approval_limits (per_person, per_pool) VALUES (1000000, 5000000);
