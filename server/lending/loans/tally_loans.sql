-- Counts loans by day and status. An UPDATE that changes no status changes no tally.
CREATE OR REPLACE FUNCTION tally_loans() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes tally_change[] := ARRAY(SELECT ('loans', utc_day(created_at), '', status, count(*), 0, 0)::tally_change FROM come GROUP BY utc_day(created_at), status);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changes := changes || ARRAY(SELECT ('loans', utc_day(created_at), '', status, -count(*), 0, 0)::tally_change FROM gone GROUP BY utc_day(created_at), status);
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $$;
