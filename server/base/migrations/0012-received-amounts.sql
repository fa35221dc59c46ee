ALTER TABLE transactions
  ADD COLUMN requested_amount bigint,
  ADD CONSTRAINT transactions_requested_another_amount
    CHECK (requested_amount IS NULL OR requested_amount > 0 AND requested_amount <> amount
      AND type = 'deposit' AND status = 'APPROVED');
COMMENT ON COLUMN transactions.amount IS
  'Cents. Of an investment, the principal. Of a confirmed deposit, what was received.';
COMMENT ON COLUMN transactions.requested_amount IS
  'Deposit: the cents that were asked for, where another amount was received. Else NULL.';

ALTER TABLE approvals
  ADD COLUMN amount bigint CHECK (amount > 0);
COMMENT ON COLUMN approvals.amount IS
  'The cents that were approved: of a deposit, what was received. NULL is the amount asked for.';
