-- A chain can take coins back after their deposit was credited. The investor then owes the pool
-- what the deposit credited, until it is collected or written off.
ALTER TABLE accounts
  DROP CONSTRAINT accounts_kind_check,
  ADD CONSTRAINT accounts_kind_check CHECK
    (kind IN ('available', 'held', 'invested', 'custody', 'operator', 'reserve', 'committed', 'claims')),
  DROP CONSTRAINT accounts_of_the_pool,
  ADD CONSTRAINT accounts_of_the_pool CHECK ((owner_id = '00000000-0000-0000-0000-000000000000')
    = (kind IN ('custody', 'operator', 'reserve', 'committed', 'claims'))),
  DROP CONSTRAINT accounts_guarded,
  ADD CONSTRAINT accounts_guarded CHECK ((balance IS NULL) = (kind IN ('custody', 'operator', 'claims')));
COMMENT ON TABLE accounts IS
  'The accounts of the double-entry ledger: three of each investor, five of the pool.';
INSERT INTO accounts (owner_id, kind, balance)
VALUES ('00000000-0000-0000-0000-000000000000', 'claims', NULL);

ALTER TABLE transactions
  DROP CONSTRAINT transactions_status_check,
  ADD CONSTRAINT transactions_status_check CHECK
    (status IN ('PENDING', 'APPROVED', 'REJECTED', 'COMPLETED', 'PROCESSING', 'EXPIRED', 'REVERSED')),
  DROP CONSTRAINT transactions_type_check,
  ADD CONSTRAINT transactions_type_check CHECK
    (type IN ('deposit', 'withdrawal', 'investment', 'payout', 'reversal')),
  ADD COLUMN claim_id uuid;
COMMENT ON COLUMN transactions.claim_id IS
  'Reversal: the claim that it pays, of the same owner (trigger transactions_begin_whole).';
CREATE INDEX transactions_by_claim ON transactions (claim_id) WHERE claim_id IS NOT NULL;

CREATE TABLE claims (
  deposit_id uuid PRIMARY KEY REFERENCES transactions,
  user_id    uuid NOT NULL,
  amount     bigint NOT NULL CHECK (amount > 0),
  open       bigint NOT NULL CONSTRAINT claims_open_within CHECK (open BETWEEN 0 AND amount),
  payment_id uuid NOT NULL REFERENCES payments,
  basis      text NOT NULL CHECK (basis <> ''),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE claims IS
  'Debts of investors for credited deposits whose coins the chain took back.';
COMMENT ON COLUMN claims.amount IS 'Cents that the deposit had credited.';
COMMENT ON COLUMN claims.open IS 'Cents that are neither collected nor written off.';
COMMENT ON COLUMN claims.payment_id IS 'The payment that is gone.';
COMMENT ON COLUMN claims.basis IS 'In words, what the product saw.';
CREATE INDEX claims_open ON claims (user_id) WHERE open > 0;

CREATE TABLE write_offs (
  id         uuid PRIMARY KEY REFERENCES proposals,
  claim_id   uuid NOT NULL REFERENCES claims,
  amount     bigint NOT NULL CHECK (amount > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE write_offs IS 'Claims that the reserve paid, each by a proposal of two people.';
COMMENT ON COLUMN write_offs.amount IS 'Cents.';
CREATE INDEX write_offs_by_claim ON write_offs (claim_id);

ALTER TABLE payments ADD COLUMN settled_as text;
COMMENT ON COLUMN payments.settled_as IS
  'Asset, units and address when deposit_id was noted. A reorganisation can change them.';
CREATE INDEX payments_by_deposit ON payments (deposit_id) WHERE deposit_id IS NOT NULL;
-- Payments that left their block after they were confirmed.
CREATE INDEX payments_unsure ON payments (network_name, transaction_id)
  WHERE state <> 'CONFIRMED' AND confirmed_at IS NOT NULL;
CREATE INDEX payments_gone ON payments (network_name)
  WHERE state IN ('REPLACED', 'DROPPED', 'REVERSED');
