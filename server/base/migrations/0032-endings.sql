ALTER TABLE transactions
  ADD COLUMN ending text CHECK (ending IN ('decided', 'cancelled', 'expired', 'automatic')),
  ADD COLUMN basis text CHECK (basis <> '');
COMMENT ON COLUMN transactions.ending IS
  'How a request ended: staff decided, its owner cancelled it, it expired, or the product decided '
  'by itself. NULL while pending, and for investments and payouts.';
COMMENT ON COLUMN transactions.basis IS
  'What a decision of the product rests on, in words. NULL for every other ending.';

-- Decided requests are few beside investments, and an index finds them.
ALTER TABLE transactions DISABLE TRIGGER USER;
UPDATE transactions SET ending = CASE WHEN decided_by IS NOT NULL THEN 'decided'
  WHEN status = 'EXPIRED' THEN 'expired' ELSE 'cancelled' END
WHERE type IN ('deposit', 'withdrawal') AND status <> 'PENDING';
ALTER TABLE transactions ENABLE TRIGGER USER;

-- What the product decides counts in the limits of a day.
DROP INDEX transactions_decided_alone;
CREATE INDEX transactions_decided_alone
  ON transactions (updated_at) INCLUDE (decided_by, user_id, amount)
  WHERE ending IN ('decided', 'automatic') AND status <> 'REJECTED' AND approvals_needed = 1;
