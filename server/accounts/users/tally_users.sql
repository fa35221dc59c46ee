CREATE OR REPLACE FUNCTION tally_users() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes tally_change[] := ARRAY(SELECT ('users', utc_day(created_at), '', '', count(*), 0, 0)::tally_change FROM come GROUP BY utc_day(created_at));
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changes := changes || ARRAY(SELECT ('users', utc_day(created_at), '', '', -count(*), 0, 0)::tally_change FROM gone GROUP BY utc_day(created_at));
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $$;
