-- What a user asked for or received. Amounts in cents. PENDING, then one final status; what was
-- asked never changes.

CREATE TABLE transactions (
  id                  uuid PRIMARY KEY,
  -- No foreign keys to users and investments: triggers look for those of all new rows at once.
  user_id             uuid NOT NULL,
  type                text NOT NULL CHECK (type IN ('deposit', 'withdrawal', 'investment', 'payout')),
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
  -- Of a withdrawal whose investor said it; empty otherwise.
  destination_network text NOT NULL DEFAULT '',
  -- How many different people must approve it: fixed when it is asked for, by the limit of then.
  approvals_needed    smallint NOT NULL DEFAULT 1 CHECK (approvals_needed > 0),
  -- The transaction on a network's chain that a deposit's confirmation rests on.
  evidence_network    text,
  evidence            text,
  CONSTRAINT transactions_deposit_has_wallet CHECK ((type = 'deposit') = (wallet_id IS NOT NULL)),
  CONSTRAINT transactions_of_an_investment
    CHECK ((type IN ('investment', 'payout')) = (investment_id IS NOT NULL)),
  CONSTRAINT transactions_evidence_on_a_network
    CHECK ((evidence IS NULL) = (evidence_network IS NULL)),
  CONSTRAINT transactions_decided_by_another CHECK (decided_by <> user_id)
);
-- An investment is opened once and pays once.
CREATE UNIQUE INDEX transactions_once_per_investment ON transactions (investment_id, type)
  WHERE investment_id IS NOT NULL;
CREATE UNIQUE INDEX transactions_evidence_once ON transactions (evidence_network, evidence)
  WHERE evidence IS NOT NULL;

-- An index for every order in which a list can be read, so that a page costs the same in a table of
-- any size.
CREATE INDEX transactions_by_user ON transactions (user_id, created_at DESC, id DESC);
CREATE INDEX transactions_by_age ON transactions (created_at DESC, id DESC);
CREATE INDEX transactions_by_change ON transactions (updated_at, id);
CREATE INDEX transactions_by_amount ON transactions (amount, id);
CREATE INDEX transactions_by_destination ON transactions (lower(destination_address))
  WHERE type = 'withdrawal';
-- Most transactions are COMPLETED investments and payouts: those are met at once on the way through
-- all of them, and posting them pays for neither index.
CREATE INDEX transactions_by_status ON transactions (status, created_at DESC, id DESC)
  WHERE status <> 'COMPLETED';
CREATE INDEX transactions_by_type ON transactions (type, created_at DESC, id DESC)
  WHERE type IN ('deposit', 'withdrawal');

-- Who has approved a withdrawal that needs more than one approval.
CREATE TABLE approvals (
  transaction_id uuid NOT NULL REFERENCES transactions,
  approved_by    uuid NOT NULL REFERENCES users,
  created_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (transaction_id, approved_by)
);
