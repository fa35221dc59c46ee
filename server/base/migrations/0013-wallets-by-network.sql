-- An investor has a wallet on each of several networks. An EVM address serves several networks.
ALTER TABLE wallets
  DROP CONSTRAINT wallets_one_per_owner,
  ADD CONSTRAINT wallets_one_per_owner_and_network UNIQUE (owner_id, network_name),
  ADD COLUMN used_at timestamptz;
COMMENT ON COLUMN wallets.owner_id IS
  'The investor that it is assigned to, for good. NULL when available. All wallets of an address '
  'have one owner (trigger unite_owners).';
COMMENT ON COLUMN wallets.used_at IS
  'The moment when its investor got it, or chose it after another. The latest is the default.';

DROP INDEX wallets_address_key;
CREATE UNIQUE INDEX wallets_address_key ON wallets (lower(address), network_name);
CREATE INDEX wallets_available_by_network ON wallets (network_name, created_at, id)
  WHERE owner_id IS NULL;
