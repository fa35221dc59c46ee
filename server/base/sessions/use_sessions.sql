-- Records uses of sessions. Skips rows that another process is writing. Does not wait for the disk,
-- so a power cut may lose the latest.
CREATE OR REPLACE FUNCTION use_sessions(hashes bytea[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE sessions SET last_used_at = now() WHERE token_hash IN (
    SELECT token_hash FROM sessions WHERE token_hash = ANY (hashes) FOR NO KEY UPDATE SKIP LOCKED);
END $$;
