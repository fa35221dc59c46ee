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
  CONSTRAINT transactions_deposit_has_wallet CHECK ((type = 'deposit') = (wallet_id IS NOT NULL)),
  CONSTRAINT transactions_of_an_investment
    CHECK ((type IN ('investment', 'payout')) = (investment_id IS NOT NULL)),
  CONSTRAINT transactions_evidence_on_a_network
    CHECK ((evidence IS NULL) = (evidence_network IS NULL)),
  CONSTRAINT transactions_decided_by_another CHECK (decided_by <> user_id)
);
COMMENT ON TABLE transactions IS
  'What an investor asked for or received. PENDING, then one final status; the rest never changes.';
COMMENT ON COLUMN transactions.user_id IS
  'Has no foreign key: the trigger transactions_have_owners looks for all new owners at once.';
COMMENT ON COLUMN transactions.amount IS 'Cents.';
COMMENT ON COLUMN transactions.wallet_id IS 'Of a deposit: the address that it is sent to.';
COMMENT ON COLUMN transactions.destination_address IS 'Of a withdrawal: as the investor wrote it.';
COMMENT ON COLUMN transactions.investment_id IS
  'Of an investment or payout. Has no foreign key: transactions_have_investments looks for it.';
COMMENT ON COLUMN transactions.reason IS 'Given by who rejected it, or empty.';
COMMENT ON COLUMN transactions.decided_by IS 'NULL while nobody has, and where time did.';
COMMENT ON COLUMN transactions.updated_at IS 'The moment of the decision, once there is one.';
COMMENT ON COLUMN transactions.destination_network IS
  'Of a withdrawal whose investor named it; empty otherwise.';
COMMENT ON COLUMN transactions.approvals_needed IS
  'How many different people must approve it: fixed when it is asked for, by the limit of then.';
COMMENT ON COLUMN transactions.evidence_network IS 'The network of the evidence.';
COMMENT ON COLUMN transactions.evidence IS
  'The transaction on the network''s chain that a deposit''s confirmation rests on.';

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
CREATE INDEX transactions_by_destination ON transactions (lower(destination_address))
  WHERE type = 'withdrawal';
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
  PRIMARY KEY (transaction_id, approved_by)
);
COMMENT ON TABLE approvals IS 'Who has approved a withdrawal that needs more than one approval.';
