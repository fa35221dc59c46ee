-- Waits for the groups that are being posted, which hold this lock together: once a pause is
-- answered, no node commits anything of its kind.
CREATE OR REPLACE FUNCTION wait_for_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7031987);
  RETURN NULL;
END $$;
