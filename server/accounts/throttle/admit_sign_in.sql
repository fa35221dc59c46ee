-- Counts an attempt as failed before its password is checked, or returns the seconds to wait. A
-- known pair of IP and user is counted alone. `wider` is the wider range of an IPv6 address.
CREATE OR REPLACE FUNCTION admit_sign_in(pair bytea, username bytea, ip bytea, wider bytea)
  RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  counted   bytea[];
  waits_for timestamptz;
BEGIN
  PERFORM lock_sign_in(ARRAY[username, ip, wider]);
  counted := counted_of(pair, username, ip, wider);
  SELECT max(CASE key
      WHEN pair THEN next_login_at(t, 10, interval '1 hour')
      WHEN username THEN next_login_at(t, 20, interval '1 hour')
      WHEN ip THEN next_login_at(t, 50, interval '15 minutes')
      ELSE next_login_at(t, 100, interval '15 minutes') END)
    INTO waits_for FROM login_throttles AS t WHERE key = ANY (counted);
  IF waits_for > clock_timestamp() THEN RETURN ceil(extract(epoch FROM waits_for - clock_timestamp())); END IF;

  INSERT INTO login_throttles AS t (key, failures, last_at) SELECT k, 1, clock_timestamp() FROM unnest(counted) AS k ORDER BY k
  ON CONFLICT (key) DO UPDATE SET last_at = clock_timestamp(),
    failures = CASE WHEN t.last_at < clock_timestamp() - interval '1 day' THEN 1 ELSE t.failures + 1 END;
  RETURN 0;
END $$;
