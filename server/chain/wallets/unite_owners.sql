-- Gives all wallets of an address to its owner, archived like the others. Refuses a second owner.
-- Older snapshots would not see an owner that changed before the locks. Groups take them in order.
CREATE OR REPLACE FUNCTION unite_owners() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NOT EXISTS (SELECT FROM come JOIN gone USING (id) WHERE come.owner_id IS DISTINCT FROM gone.owner_id) THEN RETURN NULL; END IF;
  END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'owners of wallets are changed in READ COMMITTED only' USING ERRCODE = 'invalid_transaction_state';
  END IF;
  PERFORM pg_advisory_xact_lock_shared(:lock(groups));
  PERFORM pg_advisory_xact_lock(:lock(owners));
  -- An address that its owner knows need not wait.
  UPDATE wallets SET owner_id = owned.owner_id, archived_at = owned.archived_at, proposal_id = NULL, updated_at = now()
  FROM come JOIN wallets AS owned ON lower(owned.address) = lower(come.address) AND owned.owner_id IS NOT NULL
  WHERE lower(wallets.address) = lower(come.address) AND wallets.owner_id IS NULL;
  IF EXISTS (
    SELECT FROM come JOIN wallets AS same ON lower(same.address) = lower(come.address)
    GROUP BY lower(come.address) HAVING count(DISTINCT same.owner_id) > 1
  ) THEN
    RAISE EXCEPTION 'an address has one owner' USING ERRCODE = 'unique_violation', CONSTRAINT = 'wallets_one_owner_per_address';
  END IF;
  RETURN NULL;
END $$;
