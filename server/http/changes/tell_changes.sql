-- Notifies every listening process at the commit, with 50 changes per notification. The longest
-- change has 140 bytes, and PostgreSQL carries less than 8,000 at once.
CREATE OR REPLACE FUNCTION tell_changes(changes text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('changes', '[' || string_agg(change, ',') || ']')
  FROM unnest(changes) WITH ORDINALITY AS each (change, place) GROUP BY (place - 1) / 50
  ORDER BY (place - 1) / 50;
END $$;
