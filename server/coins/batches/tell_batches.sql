-- Notifies staff of batches that were made or changed.
CREATE OR REPLACE FUNCTION tell_batches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_changes(ARRAY['[null,"batch"]']);
  RETURN NULL;
END $$;
