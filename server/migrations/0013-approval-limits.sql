-- Up to these amounts one person decides alone, in cents in 24 hours. One row, set by the server at
-- its start from its configuration.
CREATE TABLE approval_limits (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- About one investor, and by one approver.
  per_person bigint NOT NULL CHECK (per_person >= 0),
  -- For all investors and approvers together.
  per_pool   bigint NOT NULL CHECK (per_pool >= per_person)
);
INSERT INTO approval_limits (per_person, per_pool) VALUES (1000000, 5000000);

-- The address that an approval is for, and the one that was paid. Empty, and NULL, for deposits.
ALTER TABLE approvals
  ADD COLUMN payee_address text NOT NULL DEFAULT '',
  DROP CONSTRAINT approvals_pkey,
  ADD PRIMARY KEY (transaction_id, approved_by, payee_address);
ALTER TABLE transactions ADD COLUMN payee_address text;

-- One look at a day of decisions answers how much of the limits is used.
CREATE INDEX transactions_decided_alone ON transactions (updated_at) INCLUDE (decided_by, user_id, amount)
  WHERE decided_by IS NOT NULL AND status <> 'REJECTED' AND approvals_needed = 1;

ALTER TYPE operation ADD ATTRIBUTE session bytea;
ALTER TYPE operation_transaction DROP ATTRIBUTE approvals_needed;
ALTER TYPE operation_decision ADD ATTRIBUTE payee_address text, ADD ATTRIBUTE needed smallint;
