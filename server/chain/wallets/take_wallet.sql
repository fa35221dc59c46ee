-- Gives the oldest free wallet of a network, or of any, which does not wait. Others of its address
-- go with it (trigger unite_owners), so it takes none that would be a second one of a network.
CREATE OR REPLACE FUNCTION take_wallet(investor uuid, network text)
  RETURNS void LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  UPDATE wallets SET owner_id = investor, used_at = clock_timestamp(), updated_at = now()
  WHERE id = (
    SELECT id FROM wallets AS free
    WHERE owner_id IS NULL AND proposal_id IS NULL AND (network IS NULL OR network_name = network) AND NOT EXISTS (
      SELECT FROM wallets AS same JOIN wallets AS own ON own.owner_id = investor AND own.archived_at IS NULL AND own.network_name = same.network_name
      WHERE lower(same.address) = lower(free.address))
    ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED);
END $$;
