CREATE OR REPLACE FUNCTION tally_investments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes tally_change[] := ARRAY(SELECT ('investments', utc_day(created_at), '', status, count(*), sum(principal), sum(interest))::tally_change
    FROM come GROUP BY utc_day(created_at), status);
BEGIN
  IF EXISTS (SELECT FROM come WHERE status = 'COMPLETED') THEN
    changes := changes || ARRAY(SELECT ('maturities', utc_day(updated_at), '', status, count(*), sum(principal), sum(interest))::tally_change
      FROM come WHERE status = 'COMPLETED' GROUP BY utc_day(updated_at), status);
  END IF;
  IF TG_OP = 'UPDATE' THEN
    changes := changes
      || ARRAY(SELECT ('investments', utc_day(created_at), '', status, -count(*), -sum(principal), -sum(interest))::tally_change
        FROM gone GROUP BY utc_day(created_at), status)
      || ARRAY(SELECT ('maturities', utc_day(updated_at), '', status, -count(*), -sum(principal), -sum(interest))::tally_change
        FROM gone WHERE status = 'COMPLETED' GROUP BY utc_day(updated_at), status);
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $$;
