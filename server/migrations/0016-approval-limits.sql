-- The server sets the one row at its start from its configuration.
CREATE TABLE approval_limits (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  per_person bigint NOT NULL CHECK (per_person >= 0),
  per_pool   bigint NOT NULL CHECK (per_pool >= per_person)
);
INSERT INTO approval_limits (per_person, per_pool) VALUES (1000000, 5000000);

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

COMMENT ON TABLE approval_limits IS 'Up to these amounts one person decides alone, in cents in 24 hours. One row.';
COMMENT ON COLUMN approval_limits.per_person IS 'About one investor, and by one approver.';
COMMENT ON COLUMN approval_limits.per_pool IS 'For all investors and approvers together.';
COMMENT ON COLUMN approvals.payee_address IS 'The address that this approval is for; empty for a deposit.';
COMMENT ON COLUMN transactions.payee_address IS 'The address that a withdrawal was approved for; NULL for others.';
COMMENT ON COLUMN transactions.approvals_needed IS 'How many people must decide: 2 once the limits were found to demand it.';
