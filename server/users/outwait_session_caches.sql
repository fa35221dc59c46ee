-- Waits until no process trusts what it keeps of sessions: each does for 0.4 s after it was last
-- given this lock, shared. The lock is held until the change can be seen (docs/decisions/005).
CREATE OR REPLACE FUNCTION outwait_session_caches() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('pool.caches_outwaited', true) = 'yes' THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(7031988);
  PERFORM pg_sleep(0.5);
  PERFORM set_config('pool.caches_outwaited', 'yes', true);
END $$;
