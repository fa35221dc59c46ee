-- Coins that arrive without a request have a deposit of their own.
ALTER TABLE transactions ADD COLUMN unannounced boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN transactions.unannounced IS
  'True for a deposit that the product opened, since its payment had no request.';

-- A rejected one keeps its payment, which is then no longer in the index of evidence.
CREATE INDEX transactions_unannounced ON transactions (evidence_network, evidence) WHERE unannounced;

ALTER TABLE payments ADD COLUMN deposit_id uuid REFERENCES transactions;
COMMENT ON COLUMN payments.deposit_id IS
  'The decided deposit that rests on it. NULL while none does, so that it is read again.';
CREATE INDEX payments_unsettled ON payments (network_name)
  WHERE state = 'CONFIRMED' AND deposit_id IS NULL;
