CREATE OR REPLACE FUNCTION tally_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tally(ARRAY(SELECT ('audit', utc_day(created_at), action, '', count(*), 0, 0)::tally_change FROM come GROUP BY utc_day(created_at), action));
  RETURN NULL;
END $$;
