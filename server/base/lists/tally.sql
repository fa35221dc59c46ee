-- Adds to the first slot that no open transaction writes to, so that writers never wait. A change
-- of a day also counts in the row of all days.
CREATE OR REPLACE FUNCTION tally(changes tally_change[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free integer := 0;
BEGIN
  WHILE NOT pg_try_advisory_xact_lock(:lock(tallies), free) LOOP free := free + 1; END LOOP;
  INSERT INTO tallies AS t (noun, day, kind, status, slot, rows, cents, interest)
  SELECT noun, each.day, kind, status, free, sum(rows), sum(cents), sum(interest)
  FROM unnest(changes) AS change CROSS JOIN LATERAL (VALUES (change.day), ('-infinity')) AS each (day)
  GROUP BY noun, each.day, kind, status
  HAVING (sum(rows), sum(cents), sum(interest)) <> (0, 0, 0)
  ON CONFLICT (noun, day, kind, status, slot) DO UPDATE
    SET rows = t.rows + excluded.rows, cents = t.cents + excluded.cents, interest = t.interest + excluded.interest;
END $$;

CREATE OR REPLACE FUNCTION utc_day(moment timestamptz)
  RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (moment AT TIME ZONE 'UTC')::date
$$;
