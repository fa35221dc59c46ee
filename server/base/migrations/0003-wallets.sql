CREATE TABLE wallets (
  id           uuid PRIMARY KEY,
  address      text NOT NULL,
  network_name text NOT NULL,
  owner_id     uuid REFERENCES users CONSTRAINT wallets_one_per_owner UNIQUE,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE wallets IS 'Addresses that investors send deposits to.';
COMMENT ON COLUMN wallets.owner_id IS
  'The investor that it is assigned to, for good. NULL when available.';

-- One address can be valid on several networks; added twice, it could be shown to two people.
CREATE UNIQUE INDEX wallets_address_key ON wallets (lower(address));
CREATE INDEX wallets_available ON wallets (created_at, id) WHERE owner_id IS NULL;
CREATE INDEX wallets_by_age ON wallets (created_at, id);
CREATE INDEX wallets_by_network ON wallets (network_name, created_at, id);

CREATE TABLE wallet_assignments (source bytea NOT NULL, assigned_at timestamptz NOT NULL);
COMMENT ON TABLE wallet_assignments IS
  'New assignments of wallets, counted by the limits. Kept for a day, without owners.';
COMMENT ON COLUMN wallet_assignments.source IS 'Digest of the requesting range of IP addresses.';

CREATE INDEX wallet_assignments_by_source ON wallet_assignments (source, assigned_at);
CREATE INDEX wallet_assignments_by_age ON wallet_assignments (assigned_at);
