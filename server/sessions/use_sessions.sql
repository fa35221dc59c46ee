-- Writes that sessions are in use. Nobody waits for the disk: a power cut may take the last of it
-- back. Rows that another process is writing are left to it.
CREATE OR REPLACE FUNCTION use_sessions(hashes bytea[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE sessions SET last_used_at = now() WHERE token_hash IN (
    SELECT token_hash FROM sessions WHERE token_hash = ANY (hashes) FOR NO KEY UPDATE SKIP LOCKED);
END $$;
