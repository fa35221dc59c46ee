-- Loans of investors' principal, and losses of it (docs/decisions/063). Amounts are cents.
ALTER TABLE accounts
  DROP CONSTRAINT accounts_kind_check,
  ADD CONSTRAINT accounts_kind_check CHECK
    (kind IN ('available', 'held', 'invested', 'custody', 'operator', 'reserve', 'committed', 'claims', 'outgoing', 'loans', 'deployed', 'loss')),
  DROP CONSTRAINT accounts_of_the_pool,
  ADD CONSTRAINT accounts_of_the_pool CHECK ((owner_id = '00000000-0000-0000-0000-000000000000')
    = (kind IN ('custody', 'operator', 'reserve', 'committed', 'claims', 'outgoing', 'loans', 'deployed', 'loss'))),
  DROP CONSTRAINT accounts_guarded,
  ADD CONSTRAINT accounts_guarded CHECK
    ((balance IS NULL) = (kind IN ('custody', 'operator', 'claims', 'loans', 'loss')));
COMMENT ON TABLE accounts IS
  'The accounts of the double-entry ledger: three of each investor, nine of the pool.';
INSERT INTO accounts (owner_id, kind, balance) VALUES
  ('00000000-0000-0000-0000-000000000000', 'loss', NULL);

ALTER TABLE loans
  ADD COLUMN from_investors bigint NOT NULL DEFAULT 0
    CONSTRAINT loans_from_investors_within CHECK (from_investors BETWEEN 0 AND principal);
COMMENT ON COLUMN loans.from_investors IS
  'Cents of the principal that are lent out of what investors put in. The rest is the capital of the operator.';
CREATE INDEX loans_of_investors ON loans (id) WHERE from_investors > 0 AND outstanding > 0;

-- Until now all of it was capital.
ALTER TABLE loan_disbursements DISABLE TRIGGER USER;
ALTER TABLE loan_disbursements ADD COLUMN capital bigint;
UPDATE loan_disbursements SET capital = principal;
ALTER TABLE loan_disbursements
  ALTER COLUMN capital SET NOT NULL, ADD CHECK (capital BETWEEN 0 AND principal);
ALTER TABLE loan_disbursements ENABLE TRIGGER USER;
COMMENT ON COLUMN loan_disbursements.capital IS 'The part of the principal that left the reserve.';

ALTER TABLE loan_repayments DISABLE TRIGGER USER;
ALTER TABLE loan_repayments ADD COLUMN capital bigint;
UPDATE loan_repayments SET capital = principal;
ALTER TABLE loan_repayments
  ALTER COLUMN capital SET NOT NULL, ADD CHECK (capital BETWEEN 0 AND principal);
ALTER TABLE loan_repayments ENABLE TRIGGER USER;
COMMENT ON COLUMN loan_repayments.capital IS 'The part of the principal that went back into the reserve.';

ALTER TABLE loan_reversals DISABLE TRIGGER USER;
ALTER TABLE loan_reversals ADD COLUMN capital bigint;
UPDATE loan_reversals SET capital = principal;
ALTER TABLE loan_reversals
  ALTER COLUMN capital SET NOT NULL, ADD CHECK (capital BETWEEN 0 AND principal);
ALTER TABLE loan_reversals ENABLE TRIGGER USER;
COMMENT ON COLUMN loan_reversals.capital IS
  'The part of the principal that left the reserve again. Repayments in between may make it a cent more or less than the repayment had.';

ALTER TABLE loan_write_offs DISABLE TRIGGER USER;
ALTER TABLE loan_write_offs
  ADD COLUMN capital bigint,
  ADD COLUMN covered bigint NOT NULL DEFAULT 0 CHECK (covered >= 0),
  ADD COLUMN lost bigint NOT NULL DEFAULT 0 CHECK (lost >= 0);
UPDATE loan_write_offs SET capital = principal;
ALTER TABLE loan_write_offs
  ALTER COLUMN capital SET NOT NULL, ADD CHECK (capital >= 0),
  ADD CONSTRAINT loan_write_offs_are_borne CHECK (capital + covered + lost = principal);
ALTER TABLE loan_write_offs ENABLE TRIGGER USER;
COMMENT ON COLUMN loan_write_offs.capital IS 'The part that the operator had lent.';
COMMENT ON COLUMN loan_write_offs.covered IS 'The part of investors'' principal that the free reserve bore.';
COMMENT ON COLUMN loan_write_offs.lost IS 'The rest of investors'' principal: a loss that is open until loss_covers bear it.';

CREATE TABLE loss_covers (
  id         uuid PRIMARY KEY REFERENCES proposals,
  amount     bigint NOT NULL CHECK (amount > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE loss_covers IS 'Open losses that the operator bore, each by a proposal of two super admins.';

ALTER TABLE pauses
  ADD COLUMN by_loss boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT pauses_of_losses CHECK (NOT by_loss OR paused_at IS NOT NULL);
COMMENT ON COLUMN pauses.by_loss IS 'True while an open loss holds it. Nothing else ends it then.';
