CREATE OR REPLACE FUNCTION tell_written_spendings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_spendings(ARRAY(SELECT DISTINCT transaction_id FROM changed));
  RETURN NULL;
END $$;
