-- Counts added and removed rows; an UPDATE does both. No row is inserted as decided.
CREATE OR REPLACE FUNCTION tally_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes tally_change[] := ARRAY(SELECT ('transactions', utc_day(created_at), type, status, count(*), sum(amount), 0)::tally_change
    FROM come GROUP BY utc_day(created_at), type, status);
BEGIN
  IF EXISTS (SELECT FROM come WHERE status = 'APPROVED') THEN
    changes := changes || ARRAY(SELECT ('decisions', utc_day(updated_at), type, status, count(*), sum(amount), 0)::tally_change
      FROM come WHERE status = 'APPROVED' GROUP BY utc_day(updated_at), type, status);
  END IF;
  IF TG_OP = 'UPDATE' THEN
    changes := changes
      || ARRAY(SELECT ('transactions', utc_day(created_at), type, status, -count(*), -sum(amount), 0)::tally_change
        FROM gone GROUP BY utc_day(created_at), type, status)
      || ARRAY(SELECT ('decisions', utc_day(updated_at), type, status, -count(*), -sum(amount), 0)::tally_change
        FROM gone WHERE status = 'APPROVED' GROUP BY utc_day(updated_at), type, status);
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $$;
