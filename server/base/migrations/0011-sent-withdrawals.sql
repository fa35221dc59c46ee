ALTER TABLE transactions
  ADD COLUMN sent_at       timestamptz,
  ADD COLUMN sent_by       uuid REFERENCES users,
  ADD COLUMN sent_network  text,
  ADD COLUMN sent_evidence text,
  ADD COLUMN completed_at  timestamptz,
  ADD COLUMN completed_by  uuid REFERENCES users,
  ADD CONSTRAINT transactions_sent_by_status
    CHECK (num_nonnulls(sent_at, sent_by, sent_network, sent_evidence)
      = CASE WHEN type = 'withdrawal' AND status IN ('PROCESSING', 'COMPLETED') THEN 4 ELSE 0 END),
  ADD CONSTRAINT transactions_completed_by_status
    CHECK (num_nonnulls(completed_at, completed_by)
      = CASE WHEN type = 'withdrawal' AND status = 'COMPLETED' THEN 2 ELSE 0 END),
  ADD CONSTRAINT transactions_sent_by_another
    CHECK (sent_by <> user_id AND completed_by <> user_id);
COMMENT ON TABLE transactions IS
  'Requests and receipts of an investor. PENDING, then decided once. An approved withdrawal is then '
  'sent and completed. An investment is one row: ACTIVE, then COMPLETED once.';
COMMENT ON COLUMN transactions.sent_at IS 'Withdrawal: the moment it was marked as sent.';
COMMENT ON COLUMN transactions.sent_network IS 'The network that it was sent on.';
COMMENT ON COLUMN transactions.sent_evidence IS
  'The transaction on the chain that paid it. One such transaction may pay several withdrawals.';
COMMENT ON COLUMN transactions.completed_at IS 'Withdrawal: the moment it was marked as completed.';
