-- Refuses a row whose moment, in the column that the trigger names, is to come. A list that takes
-- the newest row would keep it for years.
CREATE OR REPLACE FUNCTION refuse_future() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz;
BEGIN
  -- A day begins in UTC, in a session of any zone.
  EXECUTE format('SELECT to_timestamp(extract(epoch FROM ($1).%I))', TG_ARGV[0]) INTO moment USING NEW;
  -- A demonstration has its own clock, which now() tells.
  IF moment > greatest(now(), clock_timestamp()) + interval '1 hour' THEN
    RAISE EXCEPTION '% of % is in the future', TG_ARGV[0], TG_TABLE_NAME USING ERRCODE = 'check_violation', CONSTRAINT = 'moments_have_come';
  END IF;
  RETURN NEW;
END $$;
