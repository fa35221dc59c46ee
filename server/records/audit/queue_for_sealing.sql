CREATE OR REPLACE FUNCTION queue_for_sealing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_unsealed (entry_id) SELECT id FROM written;
  RETURN NULL;
END $$;
