-- Counts an attempt, or returns the seconds to wait above `most` within `span` of the first.
-- Ignores a count in the future, which a clock that was set back leaves.
CREATE OR REPLACE FUNCTION admit_within(source bytea, most integer, span interval)
  RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz;
BEGIN
  DELETE FROM login_throttles
  WHERE key = source AND last_at NOT BETWEEN clock_timestamp() - span AND clock_timestamp() + interval '1 minute';

  INSERT INTO login_throttles AS t (key, failures, last_at) VALUES (source, 1, clock_timestamp())
  ON CONFLICT (key) DO UPDATE SET failures = t.failures + 1 WHERE t.failures < most;
  IF FOUND THEN RETURN 0; END IF;

  SELECT last_at INTO STRICT began FROM login_throttles WHERE key = source;
  RETURN greatest(1, ceil(extract(epoch FROM began + span - clock_timestamp())));
END $$;
