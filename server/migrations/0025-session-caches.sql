-- Server processes keep the sessions that they looked up for a moment. Whatever ends a session, or changes what it may do, waits here until no
-- process trusts what it kept, and only then commits (docs/decisions/005). Every hand is bound by it: the verbs, the operator, a console.

-- A process trusts what it kept for 0.4 s after it last asked for this lock, shared, and was given it. While the lock is held here nobody is given
-- it, so half a second later nobody trusts anything; the lock is held until the change can be seen.
CREATE FUNCTION outwait_session_caches() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('pool.caches_outwaited', true) = 'yes' THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(7031988);
  PERFORM pg_sleep(0.5);
  PERFORM set_config('pool.caches_outwaited', 'yes', true);
END $$;

CREATE FUNCTION sessions_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM outwait_session_caches();
  RETURN NULL;
END $$;

CREATE TRIGGER sessions_end AFTER DELETE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION sessions_change();
CREATE TRIGGER sessions_end_all AFTER TRUNCATE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION sessions_change();
CREATE TRIGGER sessions_grow_old AFTER UPDATE ON sessions FOR EACH ROW
  WHEN (NEW.last_used_at < OLD.last_used_at OR NEW.created_at < OLD.created_at OR NEW.user_id <> OLD.user_id OR NEW.token_hash <> OLD.token_hash)
  EXECUTE FUNCTION sessions_change();
CREATE TRIGGER users_are_shut_out AFTER UPDATE ON users FOR EACH ROW
  WHEN (NEW.username <> OLD.username OR (NEW.suspended_at IS NOT NULL AND OLD.suspended_at IS NULL))
  EXECUTE FUNCTION sessions_change();

-- Nobody has a session of an account that is made in this very transaction.
CREATE FUNCTION roles_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed JOIN users ON users.id = changed.user_id WHERE users.created_at <> now()) THEN PERFORM outwait_session_caches(); END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER user_roles_are_granted AFTER INSERT ON user_roles REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION roles_change();
CREATE TRIGGER user_roles_are_revoked AFTER DELETE ON user_roles REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION roles_change();
CREATE TRIGGER user_roles_are_changed AFTER UPDATE ON user_roles FOR EACH STATEMENT EXECUTE FUNCTION sessions_change();
CREATE TRIGGER user_roles_are_cleared AFTER TRUNCATE ON user_roles FOR EACH STATEMENT EXECUTE FUNCTION sessions_change();

-- Writes down that sessions are being used. A power cut may take the last of it back, so nobody waits for the disk; what another process is writing
-- down already is left to it.
CREATE FUNCTION use_sessions(hashes bytea[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE sessions SET last_used_at = now() WHERE token_hash IN (
    SELECT token_hash FROM sessions WHERE token_hash = ANY (hashes) FOR NO KEY UPDATE SKIP LOCKED);
END $$;
