-- The part of a network's fee that an investor bears, as the request says beforehand.
ALTER TABLE transactions ADD COLUMN fee bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN transactions.fee IS
  'Withdrawals: cents of the network''s fee that the investor bears beside the amount. It comes back with the amount.';
CREATE INDEX transactions_with_fees ON transactions (status, fee) WHERE fee > 0;

CREATE TABLE fee_estimates (
  network_name text PRIMARY KEY,
  cents        bigint NOT NULL CHECK (cents >= 0),
  at           timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE fee_estimates IS
  'The network''s fee of one payment, as its node told last. It counts for an hour (docs/decisions/088).';
