-- As before, but each waiting entry is found by its id, whatever the planner believes about a queue that is empty at one moment and full at the next: a plan that
-- merges the waiting ones with all entries there have ever been would cost more with every entry.
CREATE OR REPLACE FUNCTION seal_audit(most integer) RETURNS integer LANGUAGE plpgsql SET enable_seqscan TO off AS $$
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
