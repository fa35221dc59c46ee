-- Rows of all types by age are merged from the four types, so one index serves them all, those of
-- a type, and investments (docs/decisions/023).
DROP INDEX transactions_by_type;
CREATE INDEX transactions_by_type ON transactions (type, created_at DESC, id DESC);
DROP INDEX transactions_by_age;
DROP INDEX investments_by_age;

-- Investments and payouts are COMPLETED from the start, so only requests are found by status.
DROP INDEX transactions_by_status;
CREATE INDEX transactions_by_status ON transactions (type, status, created_at DESC, id DESC)
  WHERE type IN ('deposit', 'withdrawal');
