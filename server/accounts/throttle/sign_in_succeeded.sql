-- Uncounts an attempt with the right password, and makes its IP known for the user.
CREATE OR REPLACE FUNCTION sign_in_succeeded(pair bytea, username bytea, ip bytea, wider bytea)
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_sign_in(ARRAY[username, ip, wider]);
  UPDATE login_throttles SET failures = greatest(failures - 1, 0)
  WHERE key = ANY (counted_of(pair, username, ip, wider)) AND key <> pair;
  INSERT INTO login_throttles (key, failures, last_at, succeeded_at) VALUES (pair, 0, clock_timestamp(), clock_timestamp())
  ON CONFLICT (key) DO UPDATE SET failures = 0, last_at = excluded.last_at, succeeded_at = excluded.succeeded_at;
END $$;
-- Uncounts an attempt whose password was not checked. An attempt is admitted only once its wait is
-- over, and the wait is at most an hour, so the next one need not wait.
CREATE OR REPLACE FUNCTION sign_in_not_made(pair bytea, username bytea, ip bytea, wider bytea)
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_sign_in(ARRAY[username, ip, wider]);
  UPDATE login_throttles SET failures = greatest(failures - 1, 0), last_at = last_at - interval '1 hour'
  WHERE key = ANY (counted_of(pair, username, ip, wider));
END $$;
