-- True for a frozen account. Keeps it as it is until the commit: freezing ends sessions, which
-- waits for this lock.
CREATE OR REPLACE FUNCTION is_frozen(account uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(:lock(groups));
  RETURN EXISTS (SELECT FROM users WHERE id = account AND frozen_at IS NOT NULL);
END $$;
