-- True when a session lives. Keeps it alive until the commit through a shared lock. Every way to
-- end sessions takes that lock exclusively.
CREATE OR REPLACE FUNCTION session_may_act(hash bytea) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(:lock(groups));
  RETURN EXISTS (
    SELECT FROM sessions AS s JOIN users AS u ON u.id = s.user_id
    WHERE s.token_hash = hash AND u.suspended_at IS NULL AND is_living(s));
END $$;
