CREATE OR REPLACE FUNCTION tally_wallets() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes tally_change[] := '{}';
BEGIN
  IF TG_OP <> 'DELETE' THEN
    changes := ARRAY(SELECT ('wallets', utc_day(created_at), network_name, wallet_status(owner_id, archived_at, proposal_id), count(*), 0, 0)::tally_change
      FROM come GROUP BY utc_day(created_at), network_name, wallet_status(owner_id, archived_at, proposal_id));
  END IF;
  IF TG_OP <> 'INSERT' THEN
    changes := changes || ARRAY(SELECT ('wallets', utc_day(created_at), network_name, wallet_status(owner_id, archived_at, proposal_id), -count(*), 0, 0)::tally_change
      FROM gone GROUP BY utc_day(created_at), network_name, wallet_status(owner_id, archived_at, proposal_id));
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION wallet_status(owner_id uuid, archived_at timestamptz, proposal_id uuid)
  RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN proposal_id IS NOT NULL THEN 'waiting' WHEN owner_id IS NULL THEN 'available' WHEN archived_at IS NULL THEN 'assigned' ELSE 'archived' END
$$;
