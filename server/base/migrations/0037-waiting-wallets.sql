ALTER TABLE proposals ADD COLUMN by_staff boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN proposals.by_staff IS
  'True if any member of staff may ask and decide. Otherwise super admins do.';
ALTER TABLE proposals DROP CONSTRAINT proposals_reason_check,
  ADD CONSTRAINT proposals_reason_check CHECK (length(reason) <= 500 AND (length(reason) > 0 OR by_staff));

-- The check at the commit lets addresses and their proposal be written in any order.
ALTER TABLE wallets
  ADD COLUMN proposal_id uuid CONSTRAINT wallets_wait_for_a_proposal REFERENCES proposals
    DEFERRABLE INITIALLY DEFERRED,
  ADD CONSTRAINT wallets_waiting_are_free CHECK (proposal_id IS NULL OR owner_id IS NULL);
COMMENT ON COLUMN wallets.proposal_id IS
  'The proposal that must be approved before the address is given out. NULL once it is.';

DROP INDEX wallets_available;
CREATE INDEX wallets_available ON wallets (created_at, id)
  WHERE owner_id IS NULL AND proposal_id IS NULL;
DROP INDEX wallets_available_by_network;
CREATE INDEX wallets_available_by_network ON wallets (network_name, created_at, id)
  WHERE owner_id IS NULL AND proposal_id IS NULL;
CREATE INDEX wallets_waiting ON wallets (proposal_id, created_at, id)
  WHERE proposal_id IS NOT NULL;
