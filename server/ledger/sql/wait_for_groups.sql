-- Waits for running groups and holds back new ones until the commit. So no node posts by an old
-- pause, role or session.
CREATE OR REPLACE FUNCTION wait_for_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(:lock(groups));
  RETURN NULL;
END $$;
