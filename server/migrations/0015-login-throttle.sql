-- Failed sign-ins, counted by account, by address, and by the two together: shared by every node, and only as digests of what they count.

CREATE TABLE login_throttles (
  key          bytea PRIMARY KEY,
  failures     integer NOT NULL CHECK (failures >= 0),
  last_at      timestamptz NOT NULL,
  -- Of an account and an address together: when somebody last signed in to that account from that address.
  succeeded_at timestamptz
);
CREATE INDEX login_throttles_by_age ON login_throttles (last_at);

-- When the next attempt may be made: at once for the first `free` failures, then after waits that double from a minute to `longest`.
CREATE FUNCTION next_login_at(throttle login_throttles, free integer, longest interval) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN throttle.failures < free OR throttle.last_at < clock_timestamp() - interval '1 day' THEN '-infinity'
    ELSE throttle.last_at + least(longest, interval '1 minute' * power(2, least(throttle.failures - free, 20))) END
$$;

-- Takes an attempt in and counts it as failed, before its password is looked at, so that attempts at the same moment cannot slip past the
-- count together; or refuses it, uncounted. Returns the seconds to wait, 0 when it was taken in. An address from which the account was
-- opened before answers for itself alone: what others do to the account, or from that address to other accounts, does not hold it up.
CREATE FUNCTION admit_login(pair bytea, account bytea, address bytea) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  counted   bytea[];
  waits_for timestamptz;
BEGIN
  -- In one order for everybody, so that nobody waits in a circle.
  PERFORM pg_advisory_xact_lock(7, n) FROM (SELECT hashtext(encode(k, 'hex')) AS n FROM unnest(ARRAY[account, address]) AS k ORDER BY n) AS keys;

  counted := CASE WHEN EXISTS (SELECT FROM login_throttles WHERE key = pair AND succeeded_at > clock_timestamp() - interval '90 days')
    THEN ARRAY[pair] ELSE ARRAY[pair, account, address] END;
  SELECT max(CASE key
      WHEN pair THEN next_login_at(t, 10, interval '1 hour')
      WHEN account THEN next_login_at(t, 20, interval '1 hour')
      ELSE next_login_at(t, 50, interval '15 minutes') END)
    INTO waits_for FROM login_throttles AS t WHERE key = ANY (counted);
  IF waits_for > clock_timestamp() THEN RETURN ceil(extract(epoch FROM waits_for - clock_timestamp())); END IF;

  INSERT INTO login_throttles AS t (key, failures, last_at) SELECT k, 1, clock_timestamp() FROM unnest(counted) AS k ORDER BY k
  ON CONFLICT (key) DO UPDATE SET last_at = clock_timestamp(),
    failures = CASE WHEN t.last_at < clock_timestamp() - interval '1 day' THEN 1 ELSE t.failures + 1 END;
  RETURN 0;
END $$;

-- The attempt that was taken in had the right password: it is no longer counted, and its address is known from now on.
CREATE FUNCTION login_succeeded(pair bytea, account bytea, address bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7, n) FROM (SELECT hashtext(encode(k, 'hex')) AS n FROM unnest(ARRAY[account, address]) AS k ORDER BY n) AS keys;
  IF NOT EXISTS (SELECT FROM login_throttles WHERE key = pair AND succeeded_at > clock_timestamp() - interval '90 days') THEN
    UPDATE login_throttles SET failures = greatest(failures - 1, 0) WHERE key IN (account, address);
  END IF;
  INSERT INTO login_throttles (key, failures, last_at, succeeded_at) VALUES (pair, 0, clock_timestamp(), clock_timestamp())
  ON CONFLICT (key) DO UPDATE SET failures = 0, last_at = excluded.last_at, succeeded_at = excluded.succeeded_at;
END $$;
