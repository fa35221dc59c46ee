-- An archived wallet takes no new deposits, and its investor gets another one of its network.
ALTER TABLE wallets
  DROP CONSTRAINT wallets_one_per_owner_and_network,
  ADD COLUMN archived_at timestamptz,
  ADD CONSTRAINT wallets_archived_are_assigned
    CHECK (archived_at IS NULL OR owner_id IS NOT NULL);
COMMENT ON COLUMN wallets.archived_at IS
  'The moment when staff archived its address, which takes no new deposits. NULL when in use.';

CREATE UNIQUE INDEX wallets_one_per_owner_and_network ON wallets (owner_id, network_name)
  WHERE archived_at IS NULL;
CREATE INDEX wallets_archived ON wallets (created_at, id) WHERE archived_at IS NOT NULL;
