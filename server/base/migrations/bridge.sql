-- Turns the tables of the schema before 1.0.0 into those of the numbered files: an investment and
-- its opening transaction become one row, and the transfers of a movement become one row.
ALTER TABLE transactions DISABLE TRIGGER USER;
ALTER TABLE transactions
  DROP CONSTRAINT transactions_of_an_investment,
  ADD COLUMN rate_basis_points integer CHECK (rate_basis_points >= 0),
  ADD COLUMN interest bigint CHECK (interest >= 0),
  ADD COLUMN duration_days integer CHECK (duration_days > 0),
  ADD COLUMN matures_at timestamptz,
  ADD COLUMN investment_status text CHECK (investment_status IN ('ACTIVE', 'COMPLETED'));
UPDATE transactions AS t SET id = i.id, investment_id = NULL, rate_basis_points = i.rate_basis_points,
  interest = i.interest, duration_days = i.duration_days, matures_at = i.matures_at,
  investment_status = i.status, updated_at = i.updated_at
FROM investments AS i WHERE t.investment_id = i.id AND t.type = 'investment';
DROP TABLE investments;
ALTER TABLE transactions
  ADD CONSTRAINT transactions_payout_of_an_investment
    CHECK ((type = 'payout') = (investment_id IS NOT NULL)),
  ADD CONSTRAINT transactions_investment_is_whole CHECK (num_nonnulls(rate_basis_points, interest,
    duration_days, matures_at, investment_status) = CASE type WHEN 'investment' THEN 5 ELSE 0 END);
DROP INDEX transactions_once_per_investment, transactions_by_change, transactions_by_amount;
CREATE UNIQUE INDEX transactions_once_per_investment ON transactions (investment_id)
  WHERE type = 'payout';
CREATE INDEX investments_by_age ON transactions (created_at DESC, id DESC)
  WHERE type = 'investment';
CREATE INDEX investments_by_status ON transactions (created_at DESC, id DESC)
  WHERE investment_status = 'COMPLETED';
CREATE INDEX investments_maturing ON transactions (matures_at, id) INCLUDE (amount, interest)
  WHERE investment_status = 'ACTIVE';
ALTER TABLE transactions ENABLE TRIGGER USER;

INSERT INTO movements
SELECT reference_id, movement, legs[1].from_account_id, legs[1].to_account_id, legs[1].amount,
  legs[2].from_account_id, legs[2].to_account_id, legs[2].amount, legs[1].created_at
FROM (SELECT reference_id, movement, array_agg(t ORDER BY id) AS legs FROM transfers AS t GROUP BY 1, 2) AS moved;
DROP TABLE transfers;

DROP INDEX idempotency_keys_by_age;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING brin (created_at);
