-- The chain marks withdrawals as sent and completed, and staff see every payout that went wrong.
ALTER TABLE spendings ADD COLUMN inputs text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN spendings.inputs IS
  'The outputs that the transaction spends, or on EVM networks its sender and nonce. No other one spends them.';
CREATE INDEX spendings_open ON spendings (network_name) WHERE state = 'SEEN';
CREATE INDEX spendings_by_height ON spendings (network_name, height) WHERE height IS NOT NULL;
CREATE INDEX batch_payouts_on_the_chain ON batch_payouts (transaction_id) WHERE transaction_id IS NOT NULL;

ALTER TABLE transactions ADD COLUMN sent_basis text, ADD COLUMN completed_basis text;
COMMENT ON COLUMN transactions.sent_basis IS
  'Withdrawal: what the chain showed when the product marked it as sent. NULL where staff did.';
COMMENT ON COLUMN transactions.completed_basis IS
  'Withdrawal: what the chain showed when the product completed it. NULL where staff did.';

CREATE TABLE payout_alarms (
  id           uuid PRIMARY KEY,
  network_name text NOT NULL,
  kind         text NOT NULL,
  batch_id     uuid REFERENCES batches,
  position     integer,
  spending_id  uuid REFERENCES spendings,
  found_at     timestamptz NOT NULL DEFAULT now(),
  ended_at     timestamptz,
  settled_at   timestamptz,
  settled_by   uuid REFERENCES users,
  reason       text,
  CONSTRAINT payout_alarms_once UNIQUE NULLS NOT DISTINCT (kind, batch_id, position, spending_id),
  CONSTRAINT payout_alarms_have_a_kind CHECK
    (kind IN ('SHORT', 'MORE', 'TWICE', 'OTHER', 'LATE', 'UNAPPROVED', 'GIVEN_BACK', 'REORGANISED', 'UNEXPLAINED')),
  CONSTRAINT payout_alarms_settled_whole CHECK (num_nonnulls(settled_at, settled_by, reason) IN (0, 3) AND reason <> '')
);
COMMENT ON TABLE payout_alarms IS
  'Payouts that went another way than their batch says, and spendings that no batch explains.';
COMMENT ON COLUMN payout_alarms.position IS 'The payout of the batch. NULL for the whole batch.';
COMMENT ON COLUMN payout_alarms.ended_at IS
  'When the chain and the batches no longer showed it. NULL while they do.';
COMMENT ON COLUMN payout_alarms.reason IS 'The words of the member of staff who settled it.';
CREATE INDEX payout_alarms_open ON payout_alarms (network_name) WHERE ended_at IS NULL AND settled_at IS NULL;
CREATE INDEX payout_alarms_by_age ON payout_alarms (found_at, id);
