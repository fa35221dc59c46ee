-- Coins that arrive without a request have a deposit of their own.
ALTER TABLE transactions ADD COLUMN unannounced boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN transactions.unannounced IS
  'True for a deposit that the product opened, since its payment had no request.';

ALTER TABLE payments ADD COLUMN deposit_id uuid REFERENCES transactions;
COMMENT ON COLUMN payments.deposit_id IS
  'The decided deposit that rests on it. NULL while none does. Spares reading old payments again.';
CREATE INDEX payments_unsettled ON payments (network_name)
  WHERE state = 'CONFIRMED' AND deposit_id IS NULL;
