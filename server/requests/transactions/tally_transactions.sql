-- Counts added and removed rows; an UPDATE does both. No row is inserted as decided. An investment
-- also counts as one and by its maturity, without what it bore. A sent withdrawal stays APPROVED.
CREATE OR REPLACE FUNCTION tally_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes tally_change[] := ARRAY(
    SELECT change FROM (
      SELECT utc_day(created_at) AS began, utc_day(updated_at) AS changed, type, status, investment_status, duration_days::text AS days,
        count(*) AS rows, sum(amount) AS cents, sum(amount - borne) AS remains, sum(interest) AS interest,
        count(*) FILTER (WHERE fee > 0) AS bearing, sum(fee) AS fees
      FROM come GROUP BY utc_day(created_at), utc_day(updated_at), type, status, investment_status, duration_days
    ) AS alike CROSS JOIN LATERAL (VALUES
      (('transactions', began, type, status, rows, cents, 0)::tally_change, true),
      (('investments', began, days, investment_status, rows, remains, interest)::tally_change, type = 'investment'),
      (('fees', began, '', status, bearing, fees, 0)::tally_change, bearing <> 0),
      (('decisions', changed, type, 'APPROVED', rows, cents, 0)::tally_change, is_approved(type, status)),
      (('maturities', changed, '', investment_status, rows, remains, interest)::tally_change, investment_status = 'COMPLETED')
    ) AS each (change, counts) WHERE counts);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changes := changes || ARRAY(
    SELECT change FROM (
      SELECT utc_day(created_at) AS began, utc_day(updated_at) AS changed, type, status, investment_status, duration_days::text AS days,
        -count(*) AS rows, -sum(amount) AS cents, -sum(amount - borne) AS remains, -sum(interest) AS interest,
        -count(*) FILTER (WHERE fee > 0) AS bearing, -sum(fee) AS fees
      FROM gone GROUP BY utc_day(created_at), utc_day(updated_at), type, status, investment_status, duration_days
    ) AS alike CROSS JOIN LATERAL (VALUES
      (('transactions', began, type, status, rows, cents, 0)::tally_change, true),
      (('investments', began, days, investment_status, rows, remains, interest)::tally_change, type = 'investment'),
      (('fees', began, '', status, bearing, fees, 0)::tally_change, bearing <> 0),
      (('decisions', changed, type, 'APPROVED', rows, cents, 0)::tally_change, is_approved(type, status)),
      (('maturities', changed, '', investment_status, rows, remains, interest)::tally_change, investment_status = 'COMPLETED')
    ) AS each (change, counts) WHERE counts);
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $$;

-- True once a request was approved, also when it was sent, taken back or given back since.
CREATE OR REPLACE FUNCTION is_approved(type text, status text)
  RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT status = 'APPROVED' OR type = 'withdrawal' AND status IN ('PROCESSING', 'COMPLETED', 'RETURNED') OR status = 'REVERSED'
$$;
