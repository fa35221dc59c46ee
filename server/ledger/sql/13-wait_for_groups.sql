-- Waits for the groups that are being posted, which hold this lock together, and keeps new ones
-- waiting until the commit: no node posts by what a pause, a role or a session was before.
CREATE OR REPLACE FUNCTION wait_for_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7031987);
  RETURN NULL;
END $$;
