CREATE OR REPLACE FUNCTION tell_written_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_payments(ARRAY(SELECT DISTINCT address FROM changed));
  RETURN NULL;
END $$;
