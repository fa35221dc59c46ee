-- Adds to the first slot that no open transaction writes to, so that writers never wait. A change
-- of a day also counts in the row of all days.
CREATE OR REPLACE FUNCTION tally(changes tally_change[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free   integer := 0;
  change tally_change;
  known  integer;
BEGIN
  WHILE NOT pg_try_advisory_xact_lock(7031989, free) LOOP free := free + 1; END LOOP;
  FOREACH change IN ARRAY changes LOOP
    CONTINUE WHEN change.rows = 0 AND change.cents = 0 AND change.interest = 0;
    UPDATE tallies AS t SET rows = t.rows + change.rows, cents = t.cents + change.cents, interest = t.interest + change.interest
    WHERE t.noun = change.noun AND t.day = ANY (ARRAY[change.day, '-infinity']) AND t.kind = change.kind AND t.status = change.status AND t.slot = free;
    GET DIAGNOSTICS known = ROW_COUNT;
    -- The first row of its kind today, or ever. No other transaction writes to this slot.
    IF known < 1 + (change.day <> '-infinity')::integer THEN
      INSERT INTO tallies (noun, day, kind, status, slot, rows, cents, interest)
      SELECT change.noun, d.day, change.kind, change.status, free, change.rows, change.cents, change.interest
      FROM (SELECT change.day UNION SELECT '-infinity') AS d (day)
      ON CONFLICT DO NOTHING;
    END IF;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION utc_day(moment timestamptz)
  RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (moment AT TIME ZONE 'UTC')::date
$$;
