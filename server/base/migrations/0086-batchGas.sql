-- The network's fee of a batch, as its page shows it: gas of EVM networks, and dollars of any.
ALTER TABLE batches
  ADD COLUMN gas       bigint,
  ADD COLUMN gas_price numeric(78, 0),
  ADD COLUMN fee_cents bigint,
  ADD CONSTRAINT batches_gas_whole CHECK ((gas IS NULL) = (gas_price IS NULL));
COMMENT ON COLUMN batches.gas IS 'EVM networks: the gas of the transactions of the file, by a trial of the node.';
COMMENT ON COLUMN batches.gas_price IS 'EVM networks: wei for a unit of gas when the batch was made. The signer sets what is paid.';
COMMENT ON COLUMN batches.fee_cents IS 'The network''s fee in cents, rounded up. NULL where its coin had no rate.';
