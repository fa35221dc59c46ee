-- Uncounts an attempt with the right password, and makes its IP known for the user.
CREATE OR REPLACE FUNCTION login_succeeded(pair bytea, username bytea, ip bytea)
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7, n) FROM (SELECT hashtext(encode(k, 'hex')) AS n FROM unnest(ARRAY[username, ip]) AS k ORDER BY n) AS keys;
  IF NOT EXISTS (SELECT FROM login_throttles WHERE key = pair AND succeeded_at > clock_timestamp() - interval '90 days') THEN
    UPDATE login_throttles SET failures = greatest(failures - 1, 0) WHERE key IN (username, ip);
  END IF;
  INSERT INTO login_throttles (key, failures, last_at, succeeded_at) VALUES (pair, 0, clock_timestamp(), clock_timestamp())
  ON CONFLICT (key) DO UPDATE SET failures = 0, last_at = excluded.last_at, succeeded_at = excluded.succeeded_at;
END $$;
