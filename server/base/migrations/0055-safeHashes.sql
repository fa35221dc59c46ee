-- The hash that signers of a Safe compare. The file does not hold the nonce that it depends on.
ALTER TABLE batches ADD COLUMN safe_hash text,
  ADD CONSTRAINT batches_of_a_safe_have_its_hash CHECK ((format = 'SAFE') = (safe_hash IS NOT NULL));
COMMENT ON COLUMN batches.safe_hash IS 'EIP-712 hash of the transaction of the Safe, with 0x.';
