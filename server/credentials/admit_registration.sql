-- Counts a registration, or returns the seconds to wait above `most` within an hour of the first.
-- Ignores an hour in the future, which a clock that was set back leaves.
CREATE OR REPLACE FUNCTION admit_registration(source bytea, most integer)
  RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz;
BEGIN
  DELETE FROM login_throttles
  WHERE key = source AND last_at NOT BETWEEN clock_timestamp() - interval '1 hour' AND clock_timestamp() + interval '1 minute';

  INSERT INTO login_throttles AS t (key, failures, last_at) VALUES (source, 1, clock_timestamp())
  ON CONFLICT (key) DO UPDATE SET failures = t.failures + 1 WHERE t.failures < most;
  IF FOUND THEN RETURN 0; END IF;

  SELECT last_at INTO STRICT began FROM login_throttles WHERE key = source;
  RETURN greatest(1, ceil(extract(epoch FROM began + interval '1 hour' - clock_timestamp())));
END $$;
