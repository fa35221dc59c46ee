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
  rate_basis_points   integer CHECK (rate_basis_points >= 0),
  interest            bigint CHECK (interest >= 0),
  duration_days       integer CHECK (duration_days > 0),
  matures_at          timestamptz,
  investment_status   text CHECK (investment_status IN ('ACTIVE', 'COMPLETED')),
  CONSTRAINT transactions_deposit_has_wallet CHECK ((type = 'deposit') = (wallet_id IS NOT NULL)),
  CONSTRAINT transactions_payout_of_an_investment
    CHECK ((type = 'payout') = (investment_id IS NOT NULL)),
  CONSTRAINT transactions_investment_is_whole CHECK (num_nonnulls(rate_basis_points, interest,
    duration_days, matures_at, investment_status) = CASE type WHEN 'investment' THEN 5 ELSE 0 END),
  CONSTRAINT transactions_evidence_on_a_network
    CHECK ((evidence IS NULL) = (evidence_network IS NULL)),
  CONSTRAINT transactions_decided_by_another CHECK (decided_by <> user_id)
);
COMMENT ON TABLE transactions IS
  'Requests and receipts of an investor. PENDING, then one final status. No other column '
  'changes. An investment is one row: ACTIVE, then COMPLETED once.';
COMMENT ON COLUMN transactions.user_id IS
  'Has no foreign key (docs/decisions/023). The trigger transactions_have_owners checks all new '
  'owners at once.';
COMMENT ON COLUMN transactions.amount IS 'Cents. Of an investment, the principal.';
COMMENT ON COLUMN transactions.wallet_id IS 'Deposit: the wallet that receives it.';
COMMENT ON COLUMN transactions.destination_address IS
  'Withdrawal: the text that the investor wrote.';
COMMENT ON COLUMN transactions.investment_id IS
  'Payout: the investment, of the same owner (trigger transactions_have_investments).';
COMMENT ON COLUMN transactions.reason IS 'The approver''s reason for a rejection, or empty.';
COMMENT ON COLUMN transactions.decided_by IS 'NULL while pending, and after an expiry.';
COMMENT ON COLUMN transactions.updated_at IS
  'The moment of the decision, or of the maturity of an investment, once there is one.';
COMMENT ON COLUMN transactions.destination_network IS
  'Withdrawal: the network that the investor named, else empty.';
COMMENT ON COLUMN transactions.approvals_needed IS
  'Number of people who must decide. Becomes 2 when a limit demands it.';
COMMENT ON COLUMN transactions.evidence_network IS 'The network of the evidence.';
COMMENT ON COLUMN transactions.evidence IS
  'On-chain transaction that the confirmation of a deposit rests on.';
COMMENT ON COLUMN transactions.payee_address IS
  'The address that a withdrawal was approved for, else NULL.';
COMMENT ON COLUMN transactions.rate_basis_points IS
  'Interest for the whole duration, in hundredths of a percent of the principal.';
COMMENT ON COLUMN transactions.interest IS
  'Cents, set aside in the reserve when the investment was opened.';
COMMENT ON COLUMN transactions.investment_status IS
  'ACTIVE or COMPLETED. The status of an opened investment is COMPLETED as a transaction.';

-- An investment pays once.
CREATE UNIQUE INDEX transactions_once_per_investment ON transactions (investment_id)
  WHERE type = 'payout';
CREATE UNIQUE INDEX transactions_evidence_once ON transactions (evidence_network, evidence)
  WHERE evidence IS NOT NULL;

-- Lists by age have an index, so that a page costs the same in a table of any size. Other orders
-- have none, since each index costs every posting, and are bounded (docs/decisions/023).
CREATE INDEX transactions_by_user ON transactions (user_id, created_at DESC, id DESC);
CREATE INDEX transactions_by_age ON transactions (created_at DESC, id DESC);
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

CREATE INDEX investments_by_age ON transactions (created_at DESC, id DESC)
  WHERE type = 'investment';
-- Long after the last investment, the newest are ACTIVE, and what is COMPLETED begins deep below.
CREATE INDEX investments_by_status ON transactions (created_at DESC, id DESC)
  WHERE investment_status = 'COMPLETED';
-- Figures of what is at work are read from this index alone.
CREATE INDEX investments_maturing ON transactions (matures_at, id) INCLUDE (amount, interest)
  WHERE investment_status = 'ACTIVE';

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
