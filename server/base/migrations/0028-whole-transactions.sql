-- PostgreSQL reads every check of a table anew for each statement. These four are half of the text,
-- and the trigger that looks at new rows holds them as well (require_whole).
ALTER TABLE transactions
  DROP CONSTRAINT transactions_investment_is_whole,
  DROP CONSTRAINT transactions_sent_by_status,
  DROP CONSTRAINT transactions_completed_by_status,
  DROP CONSTRAINT transactions_requested_another_amount;
COMMENT ON COLUMN transactions.user_id IS
  'Has no foreign key (docs/decisions/023). The trigger transactions_begin_whole checks all new '
  'owners at once.';
COMMENT ON COLUMN transactions.investment_id IS
  'Payout: the investment, of the same owner (trigger transactions_begin_whole).';
