-- Counts added and removed rows; an UPDATE does both. No row is inserted as decided. An investment
-- also counts as one, and by its maturity. A sent withdrawal stays an APPROVED decision.
CREATE OR REPLACE FUNCTION tally_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes tally_change[] := ARRAY(SELECT ('transactions', utc_day(created_at), type, status, count(*), sum(amount), 0)::tally_change
    FROM come GROUP BY utc_day(created_at), type, status);
BEGIN
  IF EXISTS (SELECT FROM come WHERE type = 'investment') THEN
    changes := changes || ARRAY(SELECT ('investments', utc_day(created_at), '', investment_status, count(*), sum(amount), sum(interest))::tally_change
      FROM come WHERE type = 'investment' GROUP BY utc_day(created_at), investment_status);
  END IF;
  IF EXISTS (SELECT FROM come WHERE is_approved(type, status) OR investment_status = 'COMPLETED') THEN
    changes := changes
      || ARRAY(SELECT ('decisions', utc_day(updated_at), type, 'APPROVED', count(*), sum(amount), 0)::tally_change
        FROM come WHERE is_approved(type, status) GROUP BY utc_day(updated_at), type)
      || ARRAY(SELECT ('maturities', utc_day(updated_at), '', investment_status, count(*), sum(amount), sum(interest))::tally_change
        FROM come WHERE investment_status = 'COMPLETED' GROUP BY utc_day(updated_at), investment_status);
  END IF;
  IF TG_OP = 'UPDATE' THEN
    changes := changes
      || ARRAY(SELECT ('transactions', utc_day(created_at), type, status, -count(*), -sum(amount), 0)::tally_change
        FROM gone GROUP BY utc_day(created_at), type, status)
      || ARRAY(SELECT ('decisions', utc_day(updated_at), type, 'APPROVED', -count(*), -sum(amount), 0)::tally_change
        FROM gone WHERE is_approved(type, status) GROUP BY utc_day(updated_at), type)
      || ARRAY(SELECT ('investments', utc_day(created_at), '', investment_status, -count(*), -sum(amount), -sum(interest))::tally_change
        FROM gone WHERE type = 'investment' GROUP BY utc_day(created_at), investment_status)
      || ARRAY(SELECT ('maturities', utc_day(updated_at), '', investment_status, -count(*), -sum(amount), -sum(interest))::tally_change
        FROM gone WHERE investment_status = 'COMPLETED' GROUP BY utc_day(updated_at), investment_status);
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $$;

-- True once staff have approved a request, also when it was sent since.
CREATE OR REPLACE FUNCTION is_approved(type text, status text)
  RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT status = 'APPROVED' OR type = 'withdrawal' AND status IN ('PROCESSING', 'COMPLETED')
$$;
