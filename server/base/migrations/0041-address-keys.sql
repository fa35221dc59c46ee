CREATE TABLE address_keys (
  id           uuid PRIMARY KEY,
  network_name text NOT NULL,
  key          text NOT NULL,
  fingerprint  text,
  next_index   integer NOT NULL DEFAULT 0 CHECK (next_index >= 0),
  added_by     uuid NOT NULL REFERENCES users,
  created_at   timestamptz NOT NULL DEFAULT now(),
  derived_at   timestamptz,
  ended_at     timestamptz
);
COMMENT ON TABLE address_keys IS
  'Watch-only keys from which deposit addresses are derived. There is no private key anywhere.';
COMMENT ON COLUMN address_keys.key IS
  'A descriptor or an extended public key, as server/chains/accountKeys.ts writes it.';
COMMENT ON COLUMN address_keys.next_index IS 'The number of the address that is derived next.';
COMMENT ON COLUMN address_keys.derived_at IS
  'The start of the last transaction that derived. An older one would give wallets an earlier age.';
CREATE UNIQUE INDEX address_keys_one_per_network ON address_keys (network_name)
  WHERE ended_at IS NULL;

ALTER TABLE wallets
  ADD COLUMN key_id           uuid CONSTRAINT wallets_derive_from_a_key REFERENCES address_keys,
  ADD COLUMN derivation_index integer,
  ADD CONSTRAINT wallets_derived_are_numbered
    CHECK ((key_id IS NULL) = (derivation_index IS NULL) AND derivation_index >= 0) NOT VALID;
COMMENT ON COLUMN wallets.key_id IS 'The key that its address is derived from. NULL if staff named it.';

CREATE UNIQUE INDEX wallets_derived ON wallets (key_id, derivation_index)
  WHERE key_id IS NOT NULL;
CREATE INDEX wallets_derived_ahead ON wallets (key_id, derivation_index)
  WHERE key_id IS NOT NULL AND owner_id IS NULL;
