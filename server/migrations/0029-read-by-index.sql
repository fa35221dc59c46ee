-- The newest 50 of every filter that the screens have are read from an index, however rare they are. Most transactions are COMPLETED, investments and
-- payouts: those are met at once on the way through all of them, and posting them pays for none of this.
CREATE INDEX transactions_by_status ON transactions (status, created_at DESC, id DESC) WHERE status <> 'COMPLETED';
CREATE INDEX transactions_by_type ON transactions (type, created_at DESC, id DESC) WHERE type IN ('deposit', 'withdrawal');
DROP INDEX transactions_pending;

-- Long after the last investment, the newest are ACTIVE, and what is COMPLETED begins deep below.
CREATE INDEX investments_by_status ON investments (created_at DESC, id DESC) WHERE status = 'COMPLETED';

-- Figures are read from the tallies since migration 0027.
DROP INDEX transactions_approved;
DROP INDEX investments_completed;

CREATE INDEX wallets_by_network ON wallets (network_name, created_at, id);
