-- An approved withdrawal is not paid yet. Its amount lies in `outgoing` until it is completed or
-- given back. Those approved before have left at their approval, and stay so.
ALTER TABLE accounts
  DROP CONSTRAINT accounts_kind_check,
  ADD CONSTRAINT accounts_kind_check CHECK
    (kind IN ('available', 'held', 'invested', 'custody', 'operator', 'reserve', 'committed', 'claims', 'outgoing')),
  DROP CONSTRAINT accounts_of_the_pool,
  ADD CONSTRAINT accounts_of_the_pool CHECK ((owner_id = '00000000-0000-0000-0000-000000000000')
    = (kind IN ('custody', 'operator', 'reserve', 'committed', 'claims', 'outgoing')));
COMMENT ON TABLE accounts IS
  'The accounts of the double-entry ledger: three of each investor, six of the pool.';
INSERT INTO accounts (owner_id, kind, balance)
VALUES ('00000000-0000-0000-0000-000000000000', 'outgoing', 0);

ALTER TABLE transactions
  DROP CONSTRAINT transactions_status_check,
  ADD CONSTRAINT transactions_status_check CHECK
    (status IN ('PENDING', 'APPROVED', 'REJECTED', 'COMPLETED', 'PROCESSING', 'EXPIRED', 'REVERSED', 'RETURNED')),
  ADD COLUMN outgoing boolean NOT NULL DEFAULT false,
  ADD COLUMN returned_at timestamptz,
  ADD COLUMN return_id uuid;
COMMENT ON TABLE transactions IS
  'Requests and receipts of an investor. PENDING, then decided once. An approved withdrawal is then '
  'sent and completed, or given back. An investment is one row: ACTIVE, then COMPLETED once.';
COMMENT ON COLUMN transactions.outgoing IS
  'True for a withdrawal whose amount lies in `outgoing` from its approval until it is completed or '
  'given back; false for those approved by older releases, whose amount left at the approval.';
COMMENT ON COLUMN transactions.returned_at IS 'Withdrawal: the moment it was given back.';
COMMENT ON COLUMN transactions.return_id IS
  'Withdrawal: the proposal of two people that gave it back (trigger withdrawals_return_by_two).';
COMMENT ON COLUMN transactions.reason IS
  'The reason of a rejection, or of a withdrawal given back, else empty.';
