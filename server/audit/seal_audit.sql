-- Seals up to `most` waiting entries; returns how many. Any number of processes may call it. Each
-- entry is found by its id, whatever the planner believes of the queue.
CREATE OR REPLACE FUNCTION seal_audit(most integer)
  RETURNS integer LANGUAGE plpgsql SET enable_seqscan TO off AS $$
DECLARE
  head   bigint;
  link   bytea;
  entry  audit_entries;
  ids    bigint[] := '{}';
  hashes bytea[] := '{}';
BEGIN
  IF NOT EXISTS (SELECT FROM audit_unsealed) THEN RETURN 0; END IF;
  PERFORM pg_advisory_xact_lock(7031986);
  SELECT position, hash INTO head, link FROM audit_seals ORDER BY position DESC LIMIT 1;
  head := coalesce(head, 0);
  link := coalesce(link, '');
  FOR entry IN
    SELECT e.* FROM (SELECT entry_id FROM audit_unsealed ORDER BY entry_id LIMIT most) AS waiting
    -- OFFSET 0 keeps the look-up a look-up.
    CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE id = waiting.entry_id OFFSET 0) AS e
    ORDER BY waiting.entry_id
  LOOP
    link := audit_hash(link, entry);
    ids := ids || entry.id;
    hashes := hashes || link;
  END LOOP;
  INSERT INTO audit_seals (position, entry_id, hash)
  SELECT head + at, entry_id, sealed FROM unnest(ids, hashes) WITH ORDINALITY AS s (entry_id, sealed, at);
  DELETE FROM audit_unsealed WHERE entry_id = ANY (ids);
  RETURN cardinality(ids);
END $$;

-- The seal of an entry: the SHA-256 of the hash before it and of the entry as JSON. Every column is
-- named, so that one added later changes no hash.
CREATE OR REPLACE FUNCTION audit_hash(previous bytea, entry audit_entries)
  RETURNS bytea LANGUAGE sql STABLE SET timezone = 'UTC' AS $$
  SELECT sha256(previous || convert_to(jsonb_build_object(
    'id', entry.id, 'created_at', entry.created_at, 'actor_id', entry.actor_id, 'actor', entry.actor, 'action', entry.action,
    'subject_type', entry.subject_type, 'subject_id', entry.subject_id, 'owner_id', entry.owner_id, 'source', entry.source,
    'before', entry.before, 'after', entry.after, 'reason', entry.reason)::text, 'UTF8'))
$$;
