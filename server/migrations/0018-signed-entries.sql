-- Entries that wait are sealed as they were to be: nothing of that time is signed.
DO $$
DECLARE
  entry audit_entries;
  head  bigint;
  link  bytea;
BEGIN
  PERFORM pg_advisory_xact_lock(7031986), set_config('timezone', 'UTC', true);
  SELECT position, hash INTO head, link FROM audit_seals ORDER BY position DESC LIMIT 1;
  FOR entry IN SELECT e.* FROM audit_unsealed AS u JOIN audit_entries AS e ON e.id = u.entry_id ORDER BY e.id LOOP
    head := coalesce(head, 0) + 1;
    link := sha256(coalesce(link, '') || convert_to(jsonb_build_object(
      'id', entry.id, 'created_at', entry.created_at, 'actor_id', entry.actor_id, 'actor', entry.actor, 'action', entry.action,
      'subject_type', entry.subject_type, 'subject_id', entry.subject_id, 'owner_id', entry.owner_id, 'source', entry.source,
      'before', entry.before, 'after', entry.after, 'reason', entry.reason)::text, 'UTF8'));
    INSERT INTO audit_seals (position, entry_id, hash) VALUES (head, entry.id, link);
    DELETE FROM audit_unsealed WHERE entry_id = entry.id;
  END LOOP;
END $$;

ALTER TABLE audit_entries
  ADD COLUMN nonce uuid UNIQUE,
  ADD COLUMN mac text,
  ADD CONSTRAINT audit_entries_are_signed CHECK (num_nulls(nonce, mac) = 0) NOT VALID;
ALTER TABLE audit_seals
  ADD COLUMN key_id text,
  ADD CONSTRAINT audit_seals_name_their_key CHECK (key_id IS NOT NULL) NOT VALID;

ALTER TYPE operation ADD ATTRIBUTE entry jsonb;
ALTER TYPE operation_decision DROP ATTRIBUTE source;

COMMENT ON COLUMN audit_entries.nonce IS 'Makes the entry the only one of its kind: a copy is refused.';
COMMENT ON COLUMN audit_entries.mac IS
  'By a key that the database never holds. NULL: from before entries were signed.';
COMMENT ON COLUMN audit_seals.hash IS
  'HMAC-SHA-256 of the hash before it and of the entry. Without a key: SHA-256.';
COMMENT ON COLUMN audit_seals.key_id IS
  'Which key it is by. NULL: from before seals were made with one.';
COMMENT ON COLUMN operation.entry IS
  'What goes on record with it, signed; posting adds whether it was the last approval, and the payee.';
